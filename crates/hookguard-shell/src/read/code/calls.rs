//! The tables of calls: what a function of a language does to files, processes and the network.

use super::Language::{self, JavaScript, Perl, Php, Python, Ruby};
use super::value::Value;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Removes its paths.
    Remove,
    /// Removes them with all below them.
    RemoveTree,
    /// Removes them, and all below where an option says so.
    RemoveOption,
    /// Runs its first argument: shell code, or a list of words.
    Run,
    /// Runs a program with a list of arguments.
    Spawn,
    /// `execl(path, arg0, arg1, …)`
    ExecWords,
    /// A file and a mode.
    Open,
    /// Perl's `open(F, '>', path)`.
    PerlOpen,
    Write,
    Append,
    Read,
    Move,
    Copy,
    Link,
    /// Path, then mode.
    Chmod,
    /// Mode, then paths.
    ModeChmod,
    /// A URL.
    Net,
    /// Code of the same language.
    Code,
    /// A decoder.
    Decode,
    /// Prints its arguments.
    Print,
    /// Gives a module by its name.
    Require,
    /// `getattr(module, name)`
    Attribute,
    /// A variable of the environment.
    Environment,
    Home,
    Folder,
    TempFolder,
    /// A fresh folder or file.
    Temp,
    Join,
    /// Joins from the right until one is absolute.
    Resolve,
    Expand,
    /// Gives its first argument.
    Same,
    Glob,
    /// What lies below a folder.
    Children,
    /// Splits text into words.
    Split,
    /// Ends processes.
    Kill,
    /// Goes to another folder.
    ChangeFolder,
}

use Effect as E;

type Row = (Language, &'static str, &'static str, Effect);

/// Language, the modules that the function may be called on (`|` between them; empty for none or any), names, effect.
const CALLS: &[Row] = &[
    // Python (3.13's library; shutil, os, pathlib, subprocess, and the usual others).
    (Python, "", "rmtree send2trash remove_tree", E::RemoveTree),
    (Python, "os|path|posix|nt", "remove unlink rmdir removedirs", E::Remove),
    (Python, "os|posix|nt|commands|platform", "system popen popen2 popen3 getoutput", E::Run),
    (Python, "subprocess|sp|pty|sh", "run call check_call check_output Popen getoutput getstatusoutput spawn", E::Run),
    // `asyncio.run` runs a coroutine of the program's own.
    (Python, "asyncio", "create_subprocess_shell", E::Run),
    (Python, "asyncio", "create_subprocess_exec", E::ExecWords),
    (Python, "os|posix", "execl execle execlp execlpe spawnl spawnlp", E::ExecWords),
    (Python, "os|posix", "execv execve execvp execvpe posix_spawn posix_spawnp", E::Spawn),
    (Python, "|io|codecs|builtins|gzip|aiofiles", "open", E::Open),
    (Python, "os|shutil", "rename renames replace move", E::Move),
    (Python, "shutil", "copy copy2 copyfile copytree", E::Copy),
    (Python, "os", "symlink link", E::Link),
    (Python, "os", "chmod lchmod", E::Chmod),
    (Python, "os", "truncate", E::Write),
    (Python, "os|signal", "kill killpg", E::Kill),
    (Python, "os", "chdir", E::ChangeFolder),
    (JavaScript, "process|Deno", "chdir", E::ChangeFolder),
    (Perl, "", "chdir", E::ChangeFolder),
    (Ruby, "Dir|FileUtils", "chdir cd", E::ChangeFolder),
    (Php, "", "chdir", E::ChangeFolder),
    (Python, "", "urlopen urlretrieve", E::Net),
    (Python, "requests|httpx|session|aiohttp|urllib3", "get post put patch delete request head stream", E::Net),
    (Python, "|builtins", "exec eval", E::Code),
    (
        Python,
        "",
        "b64decode b32decode b16decode b85decode a85decode decodebytes standard_b64decode urlsafe_b64decode decompress \
         unhexlify a2b_base64 a2b_hex fromhex rot13 loads",
        E::Decode,
    ),
    (Python, "|pprint|builtins|json|sys", "print pprint dumps dump", E::Print),
    (Python, "|importlib|builtins", "__import__ import_module", E::Require),
    (Python, "|builtins", "getattr", E::Attribute),
    (Python, "os|environ", "getenv get", E::Environment),
    (Python, "Path", "home", E::Home),
    (Python, "os|Path", "getcwd getcwdb cwd", E::Folder),
    (Python, "tempfile", "gettempdir", E::TempFolder),
    (Python, "tempfile", "mkdtemp mkstemp TemporaryDirectory NamedTemporaryFile", E::Temp),
    (Python, "path|posixpath", "join", E::Join),
    (Python, "|pathlib", "Path PurePath PosixPath", E::Join),
    (Python, "path", "expanduser expandvars", E::Expand),
    (
        Python,
        "path|builtins||os",
        "abspath realpath normpath str bytes compile fsdecode fspath repr dict list sorted iter",
        E::Same,
    ),
    (Python, "glob", "glob iglob", E::Glob),
    (Python, "os", "listdir scandir walk", E::Children),
    (Python, "shlex", "split", E::Split),
    // Node 24: fs, child_process, and the packages that stand in for them.
    (JavaScript, "", "rmSync", E::RemoveOption),
    (JavaScript, "fs|promises|fsp|fsPromises", "rm", E::RemoveOption),
    (JavaScript, "fs|promises|fsp|fsPromises|Deno", "unlinkSync unlink removeSync remove", E::RemoveOption),
    (JavaScript, "fs|promises|fsp|fsPromises", "rmdirSync rmdir", E::RemoveOption),
    (JavaScript, "fse|fs-extra|fsExtra", "remove removeSync emptyDir emptyDirSync", E::RemoveTree),
    (JavaScript, "|rimraf", "rimraf rimrafSync sync", E::RemoveTree),
    (JavaScript, "|del|trash", "del deleteSync deleteAsync trash", E::RemoveTree),
    (JavaScript, "child_process|cp|execa|zx|shelljs|shell||Deno|Bun", "execSync execaCommand execaCommandSync", E::Run),
    (JavaScript, "child_process|cp|shelljs|shell", "exec", E::Run),
    (JavaScript, "child_process|cp|execa||Bun", "spawn spawnSync execFile execFileSync fork execa execaSync", E::Spawn),
    (
        JavaScript,
        "",
        "writeFileSync writeFile writeTextFile writeTextFileSync createWriteStream truncateSync outputFileSync outputFile",
        E::Write,
    ),
    (JavaScript, "Bun", "write", E::Write),
    (JavaScript, "", "appendFileSync appendFile", E::Append),
    (JavaScript, "", "readFileSync readFile createReadStream readTextFile readTextFileSync", E::Read),
    (JavaScript, "fs|promises|fsp|fsPromises|Deno|fse", "renameSync rename moveSync move", E::Move),
    (JavaScript, "fs|promises|fsp|fsPromises|fse|Deno", "copyFileSync copyFile cpSync cp copySync copy", E::Copy),
    (JavaScript, "fs|promises|fsp|fsPromises|Deno", "symlinkSync symlink linkSync link", E::Link),
    (JavaScript, "fs|promises|fsp|fsPromises|Deno", "chmodSync chmod", E::Chmod),
    (JavaScript, "fs|promises|fsp|fsPromises", "openSync open", E::Open),
    (JavaScript, "process", "kill", E::Kill),
    (JavaScript, "|globalThis|window", "fetch", E::Net),
    (JavaScript, "axios|http|https|got|request|needle", "get post put patch delete request", E::Net),
    (JavaScript, "|axios", "axios got", E::Net),
    (JavaScript, "|globalThis|vm|window", "eval Function runInNewContext runInThisContext", E::Code),
    (JavaScript, "|globalThis|Buffer", "atob", E::Decode),
    (JavaScript, "console|stdout|JSON", "log error info debug dir table write stringify", E::Print),
    (JavaScript, "", "require import", E::Require),
    (JavaScript, "os", "homedir", E::Home),
    (JavaScript, "process|Deno", "cwd", E::Folder),
    (JavaScript, "os", "tmpdir", E::TempFolder),
    (JavaScript, "fs|promises|fsp", "mkdtempSync mkdtemp", E::Temp),
    (JavaScript, "path|posix", "join", E::Join),
    (JavaScript, "path|posix", "resolve", E::Resolve),
    (JavaScript, "path|posix|fs|promises||Object", "normalize realpathSync String entries", E::Same),
    (JavaScript, "|glob|fg|fast-glob|globby", "glob globSync globbySync", E::Glob),
    (JavaScript, "fs|promises|fsp|fsPromises|Deno", "readdirSync readdir opendirSync", E::Children),
    (JavaScript, "env", "get", E::Environment),
    // Perl 5: builtins, File::Path, File::Copy.
    (Perl, "", "remove_tree rmtree", E::RemoveTree),
    (Perl, "", "unlink rmdir", E::Remove),
    (Perl, "", "system exec readpipe", E::Run),
    (Perl, "", "open sysopen", E::PerlOpen),
    (Perl, "", "rename move mv", E::Move),
    (Perl, "|Copy", "copy cp", E::Copy),
    (Perl, "", "symlink link", E::Link),
    (Perl, "", "chmod", E::ModeChmod),
    (Perl, "", "truncate", E::Write),
    (Perl, "", "kill", E::Kill),
    (Perl, "Simple|UserAgent|Tiny", "get getstore post", E::Net),
    (Perl, "", "eval", E::Code),
    (Perl, "", "decode_base64 unpack", E::Decode),
    (Perl, "", "print printf say Dumper", E::Print),
    (Perl, "", "glob", E::Glob),
    (Perl, "", "getcwd cwd", E::Folder),
    (Perl, "", "tempdir", E::Temp),
    (Perl, "", "catfile catdir", E::Join),
    (Perl, "", "abs_path realpath", E::Same),
    // Ruby 3: File, Dir, FileUtils, Kernel.
    (Ruby, "FileUtils|", "rm_rf rm_r rmtree remove_dir remove_entry remove_entry_secure safe_unlink", E::RemoveTree),
    (Ruby, "FileUtils|File|Dir|IO", "rm rm_f delete unlink rmdir remove", E::Remove),
    (Ruby, "|Kernel|Process|IO|PTY|Open3", "system exec spawn popen capture2 capture3 capture2e popen3 sh", E::Run),
    (Ruby, "File|IO", "open new", E::Open),
    (Ruby, "|Kernel", "open", E::Open),
    (Ruby, "File|IO", "write binwrite truncate", E::Write),
    (Ruby, "File|IO", "read readlines binread foreach", E::Read),
    (Ruby, "FileUtils|File", "mv move rename", E::Move),
    (Ruby, "FileUtils", "cp cp_r copy copy_entry copy_file", E::Copy),
    (Ruby, "FileUtils|File", "ln_s ln_sf symlink link", E::Link),
    (Ruby, "FileUtils|File", "chmod chmod_R", E::ModeChmod),
    (Ruby, "Process", "kill", E::Kill),
    (Ruby, "HTTP|URI|OpenURI|Faraday|HTTParty", "get post get_response post_form open", E::Net),
    (Ruby, "|Kernel", "eval instance_eval", E::Code),
    (Ruby, "Base64", "decode64 strict_decode64 urlsafe_decode64", E::Decode),
    (Ruby, "|Kernel|STDOUT", "puts print p pp", E::Print),
    (Ruby, "Dir", "home", E::Home),
    (Ruby, "Dir", "pwd getwd", E::Folder),
    (Ruby, "Dir", "tmpdir", E::TempFolder),
    (Ruby, "Dir", "mktmpdir", E::Temp),
    (Ruby, "File", "join", E::Join),
    (Ruby, "File|Pathname", "expand_path absolute_path realpath", E::Expand),
    (Ruby, "Pathname|", "new Pathname", E::Same),
    (Ruby, "Dir", "glob", E::Glob),
    (Ruby, "Dir", "children entries each_child foreach", E::Children),
    (Ruby, "ENV", "fetch", E::Environment),
    (Ruby, "Shellwords", "split shellsplit", E::Split),
    // PHP 8.
    (Php, "", "unlink rmdir", E::Remove),
    (Php, "", "shell_exec exec system passthru popen proc_open pcntl_exec", E::Run),
    (Php, "", "file_put_contents", E::Write),
    (Php, "", "fopen", E::Open),
    (Php, "", "file_get_contents readfile file", E::Read),
    (Php, "", "rename", E::Move),
    (Php, "", "copy", E::Copy),
    (Php, "", "symlink link", E::Link),
    (Php, "", "chmod", E::Chmod),
    (Php, "", "posix_kill", E::Kill),
    (Php, "", "curl_init fsockopen", E::Net),
    (Php, "", "eval assert create_function", E::Code),
    (Php, "", "base64_decode gzinflate gzuncompress gzdecode str_rot13 hex2bin convert_uudecode", E::Decode),
    (Php, "", "echo print print_r var_dump var_export json_encode", E::Print),
    (Php, "", "getenv", E::Environment),
    (Php, "", "getcwd", E::Folder),
    (Php, "", "sys_get_temp_dir", E::TempFolder),
    (Php, "", "tempnam", E::Temp),
    (Php, "", "realpath", E::Same),
    (Php, "", "glob", E::Glob),
    (Php, "", "scandir", E::Children),
];

/// What a call of this name does.
pub(super) fn find(path: &str, language: Language) -> Option<Effect> {
    let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
    let module = module.rsplit('.').next().unwrap_or(module);
    CALLS
        .iter()
        .find(|(other, modules, names, _)| {
            *other == language
                && names.split_whitespace().any(|one| one == name)
                && (modules.is_empty() || modules.split('|').any(|one| one == module))
        })
        .map(|(.., effect)| *effect)
}

/// Names that are values.
pub(super) fn constant(name: &str, language: Language) -> Option<Value> {
    match (language, name) {
        (Python, "None") | (Ruby | Perl, "nil" | "undef") | (JavaScript, "null" | "undefined") | (Php, "null") => {
            Some(Value::Unknown)
        }
        _ => None,
    }
}

/// Functions of Ruby that are called without parentheses or arguments.
pub(super) fn is_parameterless(path: &str) -> bool {
    matches!(path, "Dir.home" | "Dir.pwd" | "Dir.tmpdir" | "Dir.mktmpdir")
}

/// Functions that are called without parentheses.
pub(super) fn takes_bare(name: &str) -> bool {
    matches!(
        name,
        "unlink"
            | "rmdir"
            | "system"
            | "exec"
            | "rename"
            | "chmod"
            | "open"
            | "rmtree"
            | "remove_tree"
            | "print"
            | "say"
            | "puts"
            | "p"
            | "pp"
            | "eval"
            | "glob"
            | "symlink"
            | "link"
            | "kill"
            | "require"
            | "rm_rf"
            | "rm_r"
            | "rm"
            | "rm_f"
            | "delete"
            | "remove_dir"
            | "remove_entry"
            | "remove_entry_secure"
            | "mv"
            | "cp"
            | "cp_r"
            | "write"
            | "read"
            | "spawn"
            | "popen"
            | "echo"
            | "printf"
            | "truncate"
            | "sh"
            | "chmod_R"
            | "ln_s"
            | "ln_sf"
            | "copy"
            | "move"
            | "join"
            | "include"
    )
}
