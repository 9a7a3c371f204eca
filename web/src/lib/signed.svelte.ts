/** Who is signed in to the club, if there is one on this server. */

import { ApiError } from './api';
import { club, keepSession, session, type Me, type SignedIn } from './club';
import { lend, seatsOf, takeBack } from './seats';

class Signed {
  /** Null: nobody is. */
  me = $state.raw<Me | null>(null);
  isThere = $state(false);
  private asked: Promise<void> | null = null;

  /** Asked of the server once; a server that does not answer is no reason to sign anybody out. */
  look(): Promise<void> {
    return (this.asked ??= this.ask());
  }

  private async ask(): Promise<void> {
    try {
      const { is_there, me } = await club.is();
      [this.isThere, this.me] = [is_there, me];
      if (!me && session()) keepSession('');
    } catch {
      this.asked = null;
    }
  }

  in({ token, me }: SignedIn): void {
    keepSession(token);
    [this.me, this.isThere] = [me, true];
  }

  out(): void {
    keepSession('');
    takeBack();
    this.me = null;
  }

  /** Of what went wrong: whether it is that nobody is signed in any more. */
  isOut(error: unknown): boolean {
    const isSo = error instanceof ApiError && error.status === 401 && error.word === 'club.signed-out';
    if (isSo) this.out();
    return isSo;
  }

  /** Sit where the account does that is signed in, unless this browser has a seat there. */
  async sit(battle: string): Promise<void> {
    if (!session() || seatsOf(battle).length) return;
    try {
      const { side } = await club.held(battle);
      if (side !== null) lend(battle, { side, token: session() });
    } catch (error) {
      this.isOut(error);
    }
  }

  /** A seat just taken is counted for whoever is signed in; that it cannot be is seen among the battles. */
  async count(token: string | null | undefined): Promise<void> {
    if (token) await club.claim(token).catch(() => undefined);
  }

  /** A rematch counts where the battle before did. */
  async goOn(before: string, token: string): Promise<void> {
    await this.look();
    const counted = this.me ? await club.battles().catch(() => []) : [];
    if (counted.some((one) => one.battle === before)) await this.count(token);
  }
}

export const signed = new Signed();
