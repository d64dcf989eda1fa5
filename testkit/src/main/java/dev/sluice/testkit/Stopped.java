package dev.sluice.testkit;

/** The end of a world's user in the middle of its work; what it wrote before stays. */
public final class Stopped extends RuntimeException {
  private static final long serialVersionUID = 1L;
}
