//! Which cluster a command changes, by its options and by what the text chose before.

use crate::call::Call;
use crate::rule::Hit;
use crate::scene::Scene;
use crate::text::Text;

/// Which cluster a command is for, as far as the text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cluster {
    Local,
    Production,
    Unknown,
}

fn hit(yes: bool) -> Option<Hit> {
    yes.then(Hit::default)
}

const PLACE_OPTIONS: &[&str] =
    &["-n", "--namespace", "--context", "--kube-context", "--cluster", "--kubeconfig", "-e", "--environment"];
const CONTEXT_OPTIONS: &[&str] = &["--context", "--kube-context"];

fn is_local(text: Text<'_>, scene: &Scene<'_>) -> bool {
    text.known().is_some_and(|name| scene.lists().is_local(name))
}

fn cluster(scene: &Scene<'_>, at: usize) -> Cluster {
    let call = &scene.calls[at];
    let named = call.values(PLACE_OPTIONS).any(|text| scene.lists().prod(text));
    let set = call
        .command
        .assignments
        .iter()
        .any(|set| set.name == "KUBECONFIG" && scene.lists().prod(Text::from(&set.value)));
    if named || set {
        return Cluster::Production;
    }
    if call.values(CONTEXT_OPTIONS).any(|text| is_local(text, scene)) {
        return Cluster::Local;
    }
    let chosen = call.values(CONTEXT_OPTIONS).next().is_some();
    // The last choice in the text before counts, unless the command makes its own.
    for earlier in scene.before(at).rev() {
        let before = &scene.calls[earlier];
        let choice = match before.program {
            "kubectl" | "oc" if !matches!(before.operand(0), Some("config" | "project")) => None,
            "kubectx" | "kubens" => before.operands.first().map(|word| Text::from(*word)),
            "kubectl" | "oc" if before.sub("config use-context").is_some() => {
                before.operands.get(2).map(|word| Text::from(*word))
            }
            "kubectl" | "oc" if before.sub("config set-context").is_some() => {
                before.values(&["-n", "--namespace"]).next()
            }
            "oc" if before.sub("project").is_some() => before.operands.get(1).map(|word| Text::from(*word)),
            "gcloud" | "az" | "aws" => {
                before.operands.last().filter(|_| gets_credentials(before)).map(|word| Text::from(*word))
            }
            _ => None,
        };
        match choice {
            Some(text) if scene.lists().prod(text) => return Cluster::Production,
            Some(text) if is_local(text, scene) && !chosen => return Cluster::Local,
            _ => {}
        }
    }
    Cluster::Unknown
}

fn gets_credentials(call: &Call<'_>) -> bool {
    call.sub("container clusters get-credentials").is_some()
        || call.sub("aks get-credentials").is_some()
        || call.sub("eks update-kubeconfig").is_some()
}

/// Verbs of kubectl that change something in the cluster.
const KUBECTL_CHANGES: &[&str] = &[
    "apply",
    "create",
    "delete",
    "edit",
    "patch",
    "replace",
    "scale",
    "autoscale",
    "rollout restart",
    "rollout undo",
    "rollout pause",
    "rollout resume",
    "set *",
    "label",
    "annotate",
    "expose",
    "run",
    "drain",
    "cordon",
    "uncordon",
    "taint",
    "certificate approve",
    "certificate deny",
    "adm *",
    "new-app",
    "start-build",
    "tag",
    "process",
    "import-image",
];
/// Verbs that reach into the cluster or change which one is used.
const KUBECTL_REACHES: &[&str] = &[
    "exec",
    "attach",
    "cp",
    "debug",
    "rsh",
    "rsync",
    "config use-context",
    "config use",
    "config set-context",
    "config delete-*",
    "config set",
    "config unset",
];
const HELM_CHANGES: &[&str] =
    &["install", "upgrade", "uninstall", "delete", "un", "del", "rollback", "apply", "sync", "destroy", "test"];

fn changes_cluster(call: &Call<'_>) -> bool {
    let verbs = if call.program.starts_with("helm") { HELM_CHANGES } else { KUBECTL_CHANGES };
    verbs.iter().any(|verb| call.sub(verb).is_some())
}

/// A change of production's cluster.
pub(crate) fn changes_production(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    hit(changes_cluster(&scene.calls[at]) && cluster(scene, at) == Cluster::Production)
}

/// A change of a cluster that is not known to be local, or a reach into it.
pub(crate) fn changes(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    let reaches = !call.program.starts_with("helm") && KUBECTL_REACHES.iter().any(|verb| call.sub(verb).is_some());
    hit((changes_cluster(call) || reaches) && cluster(scene, at) != Cluster::Local && !chooses_local(scene, at))
}

fn chooses_local(scene: &Scene<'_>, at: usize) -> bool {
    let call = &scene.calls[at];
    let named = call.operands.get(2).is_some_and(|word| is_local(Text::from(*word), scene));
    call.sub("config use-context").is_some() && named
}

/// Kinds that everything else hangs on.
const WIDE_KINDS: &[&str] = &[
    "ns",
    "namespace",
    "namespaces",
    "crd",
    "crds",
    "customresourcedefinition",
    "customresourcedefinitions",
    "pv",
    "persistentvolume",
    "persistentvolumes",
    "project",
    "projects",
    "node",
    "nodes",
];

/// A deletion of a namespace, a definition, or everything of a kind.
pub(crate) fn deletes_widely(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    let call = &scene.calls[at];
    if cluster(scene, at) == Cluster::Local {
        return None;
    }
    let kinds = call.operands.iter().skip(1).filter_map(|word| word.as_literal());
    let first = kinds.clone().next().unwrap_or_default();
    let wide = |kind: &str| {
        WIDE_KINDS.iter().any(|wide| kind.eq_ignore_ascii_case(wide) || kind.split('.').next() == Some(wide))
    };
    let by_list = first.split(',').any(wide);
    let by_slash = kinds.clone().any(|word| word.split_once('/').is_some_and(|(kind, _)| wide(kind)));
    let everything = call.has_any(&["--all", "-A", "--all-namespaces"]) || first == "all";
    hit(by_list || by_slash || everything)
}

/// Inside a pod.
pub(crate) fn in_pod(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    hit(["kubectl", "oc", "microk8s.kubectl"].iter().any(|program| scene.through(at, program)))
}

/// Tools that only make clusters on this machine are no harm.
pub(crate) fn not_local_tool(scene: &Scene<'_>, at: usize) -> Option<Hit> {
    hit(!matches!(scene.calls[at].program, "kind" | "k3d" | "minikube"))
}
