package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigInteger;
import java.util.List;

/** The arguments of a function call. */
record Arguments(List<Value> values) {

  int count() {
    return values.size();
  }

  Value value(int index) {
    return values.get(index);
  }

  Value last() {
    return values.getLast();
  }

  List<Value> from(int index) {
    return values.subList(index, values.size());
  }

  /** The argument as a string; empty if it is missing. */
  String text(int index) {
    Value value = value(index);
    return value == Value.Null.NULL ? "" : GoText.of(value);
  }

  BigInteger whole(int index) {
    return Numbers.whole(value(index));
  }

  /** A count or position, which must be small enough to be harmless. */
  int size(int index) {
    BigInteger size = whole(index);
    if (size.bitLength() > 20) {
      throw new TemplateException(size + " is too much");
    }
    return size.intValue();
  }

  Tree tree(int index) {
    return switch (value(index)) {
      case Tree tree -> tree;
      case Value.Null _ -> Tree.EMPTY;
      case Value other -> throw new TemplateException(other + " is no map");
    };
  }

  List<Value> list(int index) {
    return switch (value(index)) {
      case Items(List<Value> items) -> items;
      case Value.Null _ -> List.of();
      case Value other -> throw new TemplateException(other + " is no list");
    };
  }
}
