package dev.sluice.apiserver.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import java.util.ArrayList;
import java.util.List;

/** The functions that Kubernetes adds to CEL: their signatures and their implementations. */
final class Library {
  private final List<CelFunctionDecl> declarations = new ArrayList<>();
  private final List<CelFunctionBinding> bindings = new ArrayList<>();

  List<CelFunctionDecl> declarations() {
    return declarations;
  }

  List<CelFunctionBinding> bindings() {
    return bindings;
  }

  /** A function of one argument, written {@code name(argument)}. */
  <A> void global(
      String name,
      CelType result,
      CelType type,
      Class<A> argument,
      CelFunctionOverload.Unary<A> body) {
    String id = "k8s_" + name;
    declare(name, CelOverloadDecl.newGlobalOverload(id, result, type));
    bindings.add(CelFunctionBinding.from(id, argument, body));
  }

  /** A function without arguments, written {@code target.name()}. */
  <T> void member(
      String name,
      CelType result,
      CelType type,
      Class<T> target,
      CelFunctionOverload.Unary<T> body) {
    String id = "k8s_" + type.name() + "_" + name;
    declare(name, CelOverloadDecl.newMemberOverload(id, result, type));
    bindings.add(CelFunctionBinding.from(id, target, body));
  }

  /** A function of one argument, written {@code target.name(argument)}. */
  <T, A> void member(
      String name,
      CelType result,
      CelType type,
      Class<T> target,
      CelType argumentType,
      Class<A> argument,
      CelFunctionOverload.Binary<T, A> body) {
    String id = "k8s_" + type.name() + "_" + name + "_" + argumentType.name();
    declare(name, CelOverloadDecl.newMemberOverload(id, result, type, argumentType));
    bindings.add(CelFunctionBinding.from(id, target, argument, body));
  }

  private void declare(String name, CelOverloadDecl overload) {
    declarations.add(CelFunctionDecl.newFunctionDeclaration(name, overload));
  }
}
