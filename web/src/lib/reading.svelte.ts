/** The rule open for reading, beside whatever page is open. */

class Reading {
  book = $state('');
  rule = $state('');

  open(book: string, rule: string): void {
    this.book = book;
    this.rule = rule;
  }

  close(): void {
    this.rule = '';
  }
}

export const reading = new Reading();
