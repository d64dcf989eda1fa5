package dev.sluice.engine.quota;

/**
 * Usage together with the cells of a queue that count it, for who takes it away and puts it back
 * many times.
 */
public final class Counted {
  private final Usage usage;
  private final QuotaCell[] cells;

  Counted(QuotaNode queue, Usage usage) {
    this.usage = usage;
    this.cells = new QuotaCell[usage.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = queue.cell(usage.what(i));
    }
  }

  public void add() {
    for (int i = 0; i < cells.length; i++) {
      cells[i].add(usage.amount(i));
    }
  }

  public void remove() {
    for (int i = 0; i < cells.length; i++) {
      cells[i].remove(usage.amount(i));
    }
  }
}
