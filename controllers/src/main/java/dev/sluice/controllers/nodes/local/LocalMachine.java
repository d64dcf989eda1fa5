package dev.sluice.controllers.nodes.local;

import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The machine of the local node.
 *
 * @param name of the node
 * @param address at which its processes are reached
 * @param user the id of the user that all processes run as
 * @param group the id of that user's group
 * @param capacity the quantities of its resources
 * @param facts about its system, by their names in the status of a node
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
