/** A player takes up a model before the game asks about its move: the answers that lead there come from the server. */

import type { Draft } from '../battle/draft.svelte';
import type { Plain } from '../net/wire';
import { say } from '../lib/words.svelte';

const MOST_QUESTIONS = 4;
const MOST_ANSWERS = 20;
/** How long to wait before looking for the next question: others may come in between. */
const PAUSE = 40;
const PATIENCE = 150;

/** Whether the model may be moved now; if not, says why, unless `isQuiet`. A cancelled draft takes back the answers given for it. */
export async function lift(draft: Draft, row: number, isQuiet = false): Promise<boolean> {
  for (let k = 0; k < MOST_QUESTIONS; k++) {
    if (holds(draft, row)) {
      draft.givenBefore = k;
      return true;
    }
    const { question } = draft;
    const reply = await draft.battle.ask({ do: 'lift', question, model: row });
    if (reply?.is !== 'lifted' || question !== draft.question) return false;
    if (!reply.path) {
      const name = draft.battle.models[row]?.name ?? '';
      if (!isQuiet) draft.battle.refusal = reply.refusal ?? { text: say('board.lift.not', { model: name }) };
      return false;
    }
    await draft.restart();
    await walk(draft, reply.path, row);
    if (holds(draft, row)) {
      draft.givenBefore = k;
      return (draft.isLifted = true);
    }
    if (!(await asksOn(draft, question))) return false;
  }
  return false;
}

function holds(draft: Draft, row: number): boolean {
  return (draft.kind === 'move' || draft.kind === 'place') && draft.moved.some((one) => one.row === row);
}

/** Answers form by form as far as the path goes. */
async function walk(draft: Draft, path: Plain[][], row: number): Promise<void> {
  for (let k = 0; k < MOST_ANSWERS && !holds(draft, row); k++) {
    if (draft.whole) return draft.takeUp(row);
    const depth = draft.levels.length - 1;
    const answer = path[depth]?.[draft.levels[depth]?.steps.length ?? 0];
    if (answer === undefined || !(await draft.give(answer))) return;
  }
}

/** Whether another question comes soon. */
async function asksOn(draft: Draft, before: number): Promise<boolean> {
  for (let k = 0; k < PATIENCE; k++) {
    if (draft.question !== before && draft.sheet && !draft.isBusy) return true;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  return false;
}
