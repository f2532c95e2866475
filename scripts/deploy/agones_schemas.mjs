/**
 * JSON schemas of the kinds of Agones that the chart makes, as far as it uses them: what their definitions (Agones 1.57,
 * install/helm/agones/templates/crds) say of those fields. Agones is in no registry from which check:deploy could fetch
 * them.
 */
const name = { type: "string", pattern: "^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$", maxLength: 63 };
const count = { type: "integer", minimum: 0 };

function object(properties, required = []) {
  return { type: "object", additionalProperties: false, required, properties };
}

function kind(apiVersion, metadata, spec) {
  const head = { apiVersion: { const: apiVersion }, kind: { type: "string" }, metadata };
  return object({ ...head, spec }, ["apiVersion", "kind", "metadata", "spec"]);
}

/** By kind; `$defs` are those of Kubernetes, to which pods and metadata are held. */
export function agonesSchemas($defs) {
  const prefix = "#/$defs/io.k8s.";
  const metadata = { $ref: `${prefix}apimachinery.pkg.apis.meta.v1.ObjectMeta` };
  const gameServer = object({
    container: name,
    health: object({ disabled: { type: "boolean" } }),
    eviction: object({ safe: { enum: ["Always", "OnUpgrade", "Never"] } }),
    template: { $ref: `${prefix}api.core.v1.PodTemplateSpec` },
  }, ["template"]);
  const buffer = object(
    { bufferSize: { type: "integer", minimum: 1 }, minReplicas: count, maxReplicas: { type: "integer", minimum: 1 } },
    ["maxReplicas"],
  );
  const policy = object({ type: { const: "Buffer" }, buffer }, ["type", "buffer"]);
  const template = object({ metadata, spec: gameServer }, ["spec"]);
  return {
    Fleet: { ...kind("agones.dev/v1", metadata, object({ replicas: count, template }, ["template"])), $defs },
    FleetAutoscaler: {
      ...kind("autoscaling.agones.dev/v1", metadata, object({ fleetName: name, policy }, ["fleetName", "policy"])),
      $defs,
    },
  };
}
