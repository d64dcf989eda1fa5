package dev.sluice.controllers.nodes.local;

import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the local node is made of.
 *
 * @param name of the node
 * @param address at which its processes are reached
 * @param user the number of the user as whom everything runs
 * @param group the number of that user's group
 * @param capacity the quantities of what it has
 * @param facts about its system, by the names that a node's status gives them
 */
public record LocalMachine(
    String name,
    String address,
    String hostname,
    long user,
    long group,
    Tree capacity,
    SortedMap<String, String> facts) {
  public LocalMachine {
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
  }

  String fact(String name) {
    return facts.getOrDefault(name, "");
  }
}
