package dev.sluice.engine.quota;

/**
 * A usage together with the quota cells that count it, for searches that remove it and add it back
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
