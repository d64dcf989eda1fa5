package dev.sluice.model.tree;

import java.util.Arrays;

/** Copies of arrays that differ in one element. */
final class Copies {
  private Copies() {}

  static <T> T[] replacing(T[] array, int index, T element) {
    T[] copy = array.clone();
    copy[index] = element;
    return copy;
  }

  static <T> T[] inserting(T[] array, int index, T element) {
    T[] copy = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, index, copy, index + 1, array.length - index);
    copy[index] = element;
    return copy;
  }

  static <T> T[] without(T[] array, int index) {
    T[] copy = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, index + 1, copy, index, copy.length - index);
    return copy;
  }
}
