/** Numbers typed digit by digit: taken at once if no longer number is possible, or else after a moment. */

const PAUSE = 650;

export class Digits {
  private number = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly take: (number: number) => void) {}

  get isPending(): boolean {
    return this.number > 0;
  }

  /** Another digit of a number up to `most`. Returns whether it can be part of one. */
  typed(digit: number, most: number): boolean {
    clearTimeout(this.timer);
    const number = this.number * 10 + digit;
    if (number > most || number === 0) {
      this.number = 0;
      return false;
    }
    this.number = number;
    if (number * 10 > most) this.done();
    else this.timer = setTimeout(() => this.done(), PAUSE);
    return true;
  }

  private done(): void {
    const number = this.number;
    this.number = 0;
    this.take(number);
  }
}
