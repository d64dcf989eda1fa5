package dev.sluice.model.cel;

/** A value of CEL that knows its weight without converting what it consists of. */
public interface Weighed {
  /**
   * What it costs to traverse it: one for each element, and a tenth of the length of each string.
   *
   * @param enough the weight above which any number will do
   */
  long weight(long enough);
}
