// Written by `python -m tools.wire` from src/campale/server/sockets/wire.py: change that, not this.

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

export const PROTOCOL = 2;

export interface Agree {
  do: 'agree';
  n: number;
  version: number;
  seal?: string;
}

export interface Answer {
  do: 'answer';
  n: number;
  question: number;
  answer?: Plain;
}

export interface Check {
  do: 'check';
  n: number;
  question: number;
  answer?: Plain;
  path?: Plain[][];
}

export interface Concede {
  do: 'concede';
  n: number;
}

export interface Consent {
  do: 'consent';
  n: number;
}

export interface Decline {
  do: 'decline';
  n: number;
}

export interface Doubt {
  do: 'doubt';
  n: number;
}

export interface Fill {
  do: 'fill';
  n: number;
  question: number;
  answers?: Plain[] | null;
  changed?: number;
  path?: Plain[][];
}

export interface Hello {
  do: 'hello';
  protocol: number;
  token?: string;
  language?: string;
  seen?: number;
  veiled?: boolean;
}

export interface Lift {
  do: 'lift';
  n: number;
  question: number;
  model: number;
}

export interface LookAt {
  do: 'look';
  n: number;
  model: number;
}

export interface Next {
  do: 'next';
  n: number;
  question: number;
  path: Plain[][];
}

export interface Odds {
  do: 'odds';
  n: number;
  model: number;
  target: number;
}

export interface Ping {
  do: 'ping';
  n?: number;
}

export interface Plan {
  do: 'plan';
  n: number;
  question: number;
  wish: ((number | null)[])[];
  kept?: Plain;
  path?: Plain[][];
  formation?: string | null;
  spacing?: number | null;
}

export interface Propose {
  do: 'propose';
  n: number;
  what: { [key: string]: Plain };
}

export interface Reveal {
  do: 'reveal';
  n: number;
  seed: string;
}

export interface Say {
  do: 'say';
  text: string;
}

export interface Speak {
  do: 'speak';
  language: string;
}

export interface Standing {
  do: 'standing';
  n: number;
  orders: { [key: string]: Plain };
}

export interface Undo {
  do: 'undo';
  n: number;
}

export interface Veil {
  do: 'veil';
  n: number;
  on: boolean;
}

export interface Weigh {
  do: 'weigh';
  n: number;
  question: number;
  answer: Plain;
  path?: Plain[][];
}

export interface Again {
  is: 'again';
  battle: string;
  side: number;
  token: string;
}

export interface Chat {
  is: 'chat';
  line: Spoken;
}

export interface Spoken {
  side: number | null;
  name: string;
  text: string;
  at: number;
  kind?: string;
  of?: number | null;
  place?: number | null;
}

export interface Checked {
  is: 'checked';
  re: number;
  refusal?: RefusalShown | null;
  forecast?: Forecast | null;
  laid?: LaidShown | null;
  foretold?: ForetoldShown[];
}

export interface RefusalShown {
  text: string;
  rule?: RuleShown | null;
  where?: [number, number] | null;
  model?: number;
  measured?: number | null;
  limit?: number | null;
}

export interface RuleShown {
  id: string;
  title: string;
}

export interface Forecast {
  title: string;
  stages: Stage[];
  policy?: string;
  gap?: string;
}

export interface Stage {
  title: string;
  mean: number;
  chances: [number, number][];
  rule?: RuleShown | null;
  is_main?: boolean;
  is_risk?: boolean;
  single?: string;
}

export interface LaidShown {
  at: [number, number];
  radius?: number;
  outline?: [number, number][];
  under?: number[];
  by?: number[];
  idle?: number[];
  most?: number;
  told?: string[];
}

export interface ForetoldShown {
  text: string;
  rule: RuleShown;
  at?: [number, number] | null;
}

export interface Done {
  is: 'done';
  re: number;
}

export interface Failed {
  is: 'failed';
  word: string;
  text: string;
  re?: number;
}

export interface Filled {
  is: 'filled';
  re: number;
  fields: Field[];
  refusal?: RefusalShown | null;
  forecast?: Forecast | null;
}

export interface Field {
  sheet: Sheet;
  answer: Plain;
  text: string;
  is_forced?: boolean;
  forecast?: Forecast | null;
  aims?: [number[], number[]][];
}

export interface Sheet {
  kind: string;
  prompt: string;
  side: number | null;
  title: string;
  rules?: RuleShown[];
  models?: number[];
  targets?: number[];
  options?: Option[];
  items?: string[];
  keys?: Plain[];
  holders?: number[];
  low?: number;
  high?: number;
  suggested?: Plain[];
  shown?: { [key: string]: Plain };
  several?: boolean;
  whole?: boolean;
  proposal?: Plain;
  proposal_text?: string;
  first?: Sheet | null;
  laid?: LaidShown | null;
  weighed?: boolean;
  alike?: boolean;
  anew?: boolean;
  foretold?: ForetoldShown[];
  under?: string;
  closed?: boolean;
  confirm?: string;
}

export interface Option {
  key: Plain;
  text: string;
  refusal?: RefusalShown | null;
  actors?: number[];
  targets?: number[];
  at?: [number, number] | null;
  laid?: LaidShown | null;
}

export interface Forecasted {
  is: 'forecasted';
  re: number;
  forecasts: Forecast[];
  too_long?: boolean;
}

export interface Lifted {
  is: 'lifted';
  re: number;
  path?: Plain[][] | null;
  refusal?: RefusalShown | null;
}

export interface Looked {
  is: 'looked';
  re: number;
  look: Look;
}

export interface Look {
  model: number;
  card: Card;
  rings?: Ring[];
  sightings?: Sighting[];
}

export interface Card {
  title: string;
  subtitle: string;
  line: CardLine[];
  tables?: CardTable[];
  notes?: string[];
  marks?: MarkShown[];
}

export interface CardLine {
  key: string;
  title: string;
  value: string;
  was?: string;
  why?: RuleShown[];
}

export interface CardTable {
  title: string;
  columns: string[];
  rows: string[][];
}

export interface MarkShown {
  key: string;
  text: string;
  value?: number;
  sign?: string;
  is_secret?: boolean;
  state?: string;
}

export interface Ring {
  kind: string;
  text: string;
  reach: number;
  arc?: [number, number] | null;
}

export interface Sighting {
  model: number;
  sees: string;
  text: string;
  distance: number;
  rays?: Ray[];
  blockers?: string[];
  rule?: RuleShown | null;
  barred?: RefusalShown[];
}

export interface Ray {
  start: [number, number, number];
  end: [number, number, number];
  is_clear: boolean;
  stops?: [number, number] | null;
}

export interface News {
  is: 'news';
  seq: number;
  moment: Moment;
  pieces?: PieceShown[] | null;
  models?: ModelShown[];
  units?: UnitShown[];
  tokens?: TokenShown[] | null;
  cut?: number | null;
  lines?: Line[];
  motions?: MotionShown[];
}

export interface Moment {
  stage?: string | null;
  seats?: SeatShown[] | null;
  setup?: SetupShown | null;
  standing?: StandingShown | null;
  waiting_for?: number[] | null;
  question?: number | null;
  sheet?: Sheet | null;
  veil?: string | null;
  proposal?: ProposalShown | null;
  has_proposal?: boolean | null;
  may_undo?: boolean | null;
  may_doubt?: boolean | null;
  may_try?: boolean | null;
  may_test?: boolean | null;
  result?: string | null;
  puzzle?: PuzzleShown | null;
}

export interface SeatShown {
  side: number;
  name: string;
  kind: string;
  colour: string;
  is_here?: boolean;
  has_agreed?: boolean;
  has_revealed?: boolean;
  clock?: number | null;
  reaction?: number | null;
  is_timed?: boolean;
}

export interface SetupShown {
  version: number;
  lines: [string, string, string][];
  commitment?: string;
  seals?: string[];
  fairness?: string;
}

export interface StandingShown {
  title: string;
  side: number | null;
  lines: string[];
  chits?: ChitShown[];
  zones?: ZoneShown[];
  held?: HeldShown[];
  score?: [number, number] | null;
  length?: string;
  phase?: string;
  phases?: [number, number] | null;
  places?: PlaceShown[];
  more?: string[];
  turn?: number | null;
}

export interface ChitShown {
  side: number;
  text: string;
  is_drawn?: boolean;
}

export interface ZoneShown {
  kind: string;
  text: string;
  outline?: [number, number][];
  at?: [number, number];
  radius?: number;
  side?: number;
}

export interface HeldShown {
  side: number;
  kind: string;
  text: string;
  count: number;
  of?: number;
  cards?: CardShown[];
}

export interface CardShown {
  title: string;
  kind?: string;
  text?: string;
  cost?: number;
  on?: string;
}

export interface PlaceShown {
  text: string;
  side?: number;
}

export interface ProposalShown {
  side: number;
  kind: string;
  text: string;
}

export interface PuzzleShown {
  name: string;
  title: string;
  text: string;
  hints?: string[];
  rules?: RuleShown[];
  verdict?: string;
}

export interface PieceShown {
  name: string;
  title: string;
  kind: string;
  outline: [number, number][];
  z: number;
  height: number;
  floors?: FloorShown[];
  tags?: string[];
  is_impassable?: boolean;
  is_solid?: boolean;
  cover?: string;
}

export interface FloorShown {
  outline: [number, number][];
  z: number;
}

export interface ModelShown {
  row: number;
  side: number;
  unit: number;
  name: string;
  kind: string;
  where: string;
  x?: number;
  y?: number;
  z?: number;
  facing?: number;
  shape?: ShapeShown | null;
  wounds?: [number, number] | null;
  aboard_of?: number;
  marks?: MarkShown[];
  is_down?: boolean;
  command?: CommandShown | null;
  points?: [number, number] | null;
  watch?: WatchShown | null;
  likeness?: string;
  leads?: boolean;
  bought_with?: number;
}

export interface ShapeShown {
  radius?: number;
  half?: [number, number] | null;
  corners?: [number, number][] | null;
  height?: number;
  bands?: number[];
  points?: [string, number, number][];
}

export interface CommandShown {
  reach: number;
  text: string;
  units?: number[];
}

export interface WatchShown {
  reach: number;
  text: string;
  arc: [number, number];
}

export interface UnitShown {
  row: number;
  side: number;
  name: string;
  models: number[];
  marks?: MarkShown[];
}

export interface TokenShown {
  kind: string;
  text: string;
  x: number;
  y: number;
  side?: number;
  value?: Plain;
  reach?: number;
  number?: number;
}

export interface Line {
  text: string;
  level?: number;
  rules?: RuleShown[];
  models?: number[];
  side?: number | null;
  dice?: DiceShown | null;
  at?: number;
  phase?: string;
  laid?: LaidShown | null;
}

export interface DiceShown {
  why: string;
  sides: number;
  faces: number[];
  need?: string;
  parts?: PartShown[];
  met?: boolean[];
  total?: number | null;
  base?: string;
}

export interface PartShown {
  text: string;
  rule: RuleShown;
}

export interface MotionShown {
  kind: string;
  by?: number[];
  at?: number[];
  way?: [number, number][];
  spot?: [number, number] | null;
  how?: string;
  dice?: DiceShown | null;
  counts?: string;
}

export interface NextField {
  is: 'next';
  re: number;
  sheet?: Sheet | null;
}

export interface Planned {
  is: 'planned';
  re: number;
  answer?: Plain;
  text?: string;
  refusal?: RefusalShown | null;
  forecast?: Forecast | null;
  foretold?: ForetoldShown[];
  instead?: Plain;
  sheet?: Sheet | null;
}

export interface Pong {
  is: 'pong';
  re?: number;
}

export interface Refused {
  is: 'refused';
  re: number;
  refusal: RefusalShown;
}

export interface State {
  is: 'state';
  seq: number;
  battle: string;
  book: string;
  title: string;
  side: number | null;
  language: string;
  table: TableShown;
  pieces: PieceShown[];
  models: ModelShown[];
  units: UnitShown[];
  tokens: TokenShown[];
  lines: Line[];
  moment: Moment;
  chat?: Spoken[];
  orders?: { [key: string]: Plain };
  order_kinds?: OrderKind[];
}

export interface TableShown {
  width: number;
  depth: number;
  unit: string;
  grid: number;
}

export interface OrderKind {
  prompt: string;
  title: string;
  acts?: [string, string][];
  prompts?: string[];
}

export interface Weighed {
  is: 'weighed';
  re: number;
  forecast?: Forecast | null;
  too_long?: boolean;
}

export interface Replay {
  book: string;
  title: string;
  side: number | null;
  table: TableShown;
  pieces: PieceShown[];
  models: ModelShown[];
  units: UnitShown[];
  tokens: TokenShown[];
  standing: StandingShown;
  lines: Line[];
  frames: Frame[];
  result?: string | null;
  notes?: NoteShown[];
}

export interface Frame {
  at: number;
  lines?: Line[];
  cut?: number | null;
  pieces?: PieceShown[] | null;
  models?: ModelShown[];
  units?: UnitShown[];
  tokens?: TokenShown[] | null;
  standing?: StandingShown | null;
  motions?: MotionShown[];
}

export interface NoteShown {
  text: string;
  place: number;
}

export interface LuckReport {
  sides: Luck[];
  kinds: Luck[];
  strokes: Stroke[];
}

export interface Luck {
  side: number;
  text: string;
  count: number;
  expected: number;
  got: number;
  share: number;
}

export interface Stroke {
  side: number;
  text: string;
  event: number;
  expected: number;
  got: number;
  chance: number;
  at?: number;
}

export type Ask = Agree | Answer | Check | Concede | Consent | Decline | Doubt | Fill | Hello | Lift | LookAt | Next | Odds | Ping | Plan | Propose | Reveal | Say | Speak | Standing | Undo | Veil | Weigh;
export type Tell = Again | Chat | Checked | Done | Failed | Filled | Forecasted | Lifted | Looked | News | NextField | Planned | Pong | Refused | State | Weighed;
