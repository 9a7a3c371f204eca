/** Who is signed in to the club, if this server has one. */

import { ApiError } from './api';
import { club, keepSession, session, type Me, type SignedIn } from './club';
import { lend, seatsOf, takeBack } from './seats';

class Signed {
  /** Null: nobody is signed in. */
  me = $state.raw<Me | null>(null);
  isThere = $state(false);
  private asked: Promise<void> | null = null;

  /** Asks the server once; a server that does not answer is no reason to sign anybody out. */
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

  /** Whether an error means that the session is over. */
  isOut(error: unknown): boolean {
    const isSo = error instanceof ApiError && error.status === 401 && error.word === 'club.signed-out';
    if (isSo) this.out();
    return isSo;
  }

  /** Takes the seat of the signed-in account, unless this browser has a seat in the battle. */
  async sit(battle: string): Promise<void> {
    if (!session() || seatsOf(battle).length) return;
    try {
      const { side } = await club.held(battle);
      if (side !== null) lend(battle, { side, token: session() });
    } catch (error) {
      this.isOut(error);
    }
  }

  /** Counts a newly taken seat for the signed-in account; the list of battles shows if that failed. */
  async count(token: string | null | undefined): Promise<void> {
    if (token) await club.claim(token).catch(() => undefined);
  }

  /** A rematch counts if the battle before did. */
  async goOn(before: string, token: string): Promise<void> {
    await this.look();
    const counted = this.me ? await club.battles().catch(() => []) : [];
    if (counted.some((one) => one.battle === before)) await this.count(token);
  }
}

export const signed = new Signed();
