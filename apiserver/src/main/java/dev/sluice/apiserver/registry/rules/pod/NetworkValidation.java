package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.IpAddress;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The validation of a pod's DNS settings, host aliases and shared namespaces. */
final class NetworkValidation {
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None");

  private final ValidationErrors problems;

  NetworkValidation(ValidationErrors problems) {
    this.problems = problems;
  }

  void check(String field, Tree spec) {
    problems.oneOf(field + ".dnsPolicy", spec.text("dnsPolicy"), DNS_POLICIES);
    if (spec.text("dnsPolicy").equals("None") && !spec.has("dnsConfig")) {
      problems.required(field + ".dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None");
    }
    if (spec.has("dnsConfig")) {
      checkNames(field + ".dnsConfig", spec.tree("dnsConfig"));
    }
    List<Tree> aliases = spec.trees("hostAliases");
    for (int i = 0; i < aliases.size(); i++) {
      String at = "%s.hostAliases[%d]".formatted(field, i);
      checkAddress(at + ".ip", aliases.get(i).text("ip"));
      checkSubdomains(at + ".hostnames", aliases.get(i).textItems("hostnames"));
    }
    checkSharing(field, spec);
  }

  private void checkNames(String at, Tree config) {
    List<String> servers = config.textItems("nameservers");
    for (int i = 0; i < servers.size(); i++) {
      checkAddress("%s.nameservers[%d]".formatted(at, i), servers.get(i));
    }
    checkSubdomains(at + ".searches", config.textItems("searches"));
    List<Tree> options = config.trees("options");
    for (int i = 0; i < options.size(); i++) {
      if (options.get(i).text("name").isEmpty()) {
        problems.required("%s.options[%d]".formatted(at, i), "must not be empty");
      }
    }
  }

  /** Validates search domains, which may start with '_' and end with a dot. */
  private void checkSubdomains(String at, List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      String plain = names.get(i).replace('_', 'x').replaceFirst("\\.$", "");
      problems.invalidIf(NameSyntax.subdomainProblem(plain), at + "[" + i + "]", names.get(i));
    }
  }

  private void checkAddress(String at, String address) {
    Optional<IpAddress> read = IpAddress.parse(address);
    if (read.isEmpty()) {
      problems.invalid(
          at, address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    } else if (read.get().isMapped()) {
      problems.invalid(at, address, "must not be an IPv4-mapped IPv6 address");
    }
  }

  private void checkSharing(String field, Tree spec) {
    if (spec.flag("hostPID") && spec.flag("shareProcessNamespace")) {
      problems.invalid(
          field + ".securityContext.shareProcessNamespace",
          true,
          "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    boolean ownUsers = spec.has("hostUsers") && !spec.flag("hostUsers");
    for (String shared : List.of("hostNetwork", "hostPID", "hostIPC")) {
      if (ownUsers && spec.flag(shared)) {
        problems.forbidden(field + "." + shared, "when `hostUsers` is false");
      }
    }
  }
}
