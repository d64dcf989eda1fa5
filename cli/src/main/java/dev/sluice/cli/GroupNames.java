package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet.Group;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The names of controller groups on the command line. */
final class GroupNames implements ITypeConverter<Group>, Iterable<String> {
  private static final List<String> NAMES = Arrays.stream(Group.values()).map(Group::word).toList();

  @Override
  public Group convert(String word) {
    return Arrays.stream(Group.values())
        .filter(group -> group.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new TypeConversionException(
                "'%s' is none of: %s".formatted(word, String.join(", ", NAMES))));
  }

  @Override
  public Iterator<String> iterator() {
    return NAMES.iterator();
  }
}
