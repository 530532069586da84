/** Scripts as authors of skills write them: they know nothing of the program that runs them. */

export interface AuthorScript {
  readonly file: string;
  readonly does: string;
  readonly code: string;
  /** `{server}` stands for the address of a server. */
  readonly args?: readonly string[];
  /** Files of the user that it is given. */
  readonly inputs?: readonly string[];
  readonly needs?: 'key' | 'host' | 'workspace';
  /** Must be in what it prints. */
  readonly prints?: string;
  /** The file that it must have written, from the folder of the skill, and a part of its text. */
  readonly writes?: readonly [path: string, part: string];
}

/** The other files of the skill. */
export const SKILL_FILES: Readonly<Record<string, string>> = {
  'SKILL.md': '---\nname: author\ndescription: Scripts as authors write them.\n---\nRun the scripts.\n',
  'references/rules.md': '# Rules\n\n- Be brief.\n- Be kind.\n',
  'references/rules.json': '{ "limit": 3 }\n',
  'assets/letter.txt': 'Dear NAME,\n\nthank you.\n',
  'scripts/helpers.py': 'def total(rows):\n    return sum(float(row["price"]) for row in rows)\n',
};

/** Files of the user, in the folder where the program works. */
export const USER_FILES: Readonly<Record<string, string>> = {
  'data.csv': 'name,price\napple,2\npear,3\n',
  'notes.md': '# Notes\n',
};

export const AUTHOR_SCRIPTS: readonly AuthorScript[] = [
  {
    file: 'hello.sh',
    does: 'prints its arguments',
    code: '#!/bin/sh\necho "Hello, $1!"\n',
    args: ['Ada'],
    prints: 'Hello, Ada!',
  },
  {
    file: 'fill.sh',
    does: 'writes into the working directory',
    code: '#!/bin/bash\necho "filled on request" > filled.txt\n',
    writes: ['filled.txt', 'filled'],
  },
  {
    file: 'rules.sh',
    does: 'reads a reference by its relative path',
    code: '#!/bin/sh\ngrep -c "^- " references/rules.md\n',
    prints: '2',
  },
  {
    file: 'log.sh',
    does: 'writes beside itself',
    code: '#!/bin/bash\ncd "$(dirname "$0")" && echo "ran" >> run.log\n',
    writes: ['scripts/run.log', 'ran'],
  },
  {
    file: 'letter.sh',
    does: 'fills a template that it finds from its own path',
    code: '#!/usr/bin/env bash\nset -euo pipefail\nhere="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\nsed "s/NAME/$1/" "$here/../assets/letter.txt" > letter.txt\n',
    args: ['Ada'],
    writes: ['letter.txt', 'Dear Ada,'],
  },
  {
    file: 'sum.sh',
    does: 'sums a column of an input with awk',
    code: '#!/bin/sh\nawk -F, \'NR > 1 { sum += $2 } END { print "sum " sum }\' "$1"\n',
    args: ['data.csv'],
    inputs: ['data.csv'],
    prints: 'sum 5',
  },
  {
    file: 'bundle.sh',
    does: 'packs references through a temporary folder',
    code: '#!/usr/bin/env bash\nset -euo pipefail\ntmp="$(mktemp -d)"\ntrap \'rm -rf "$tmp"\' EXIT\nmapfile -t files < <(find references -type f | sort)\ncp "${files[@]}" "$tmp"\ntar -czf bundle.tgz -C "$tmp" .\necho "${#files[@]} files"\n',
    prints: '2 files',
  },
  {
    file: 'note.sh',
    does: "changes a file of the user's workspace",
    code: '#!/bin/sh\necho "- done" >> notes.md\n',
    needs: 'workspace',
    writes: ['notes.md', '- done'],
  },
  {
    file: 'key.sh',
    does: 'needs a key',
    code: '#!/bin/bash\n: "${API_KEY:?set API_KEY first}"\necho "a key of ${#API_KEY} characters"\n',
    needs: 'key',
    prints: 'a key of 16 characters',
  },
  {
    file: 'fetch.sh',
    does: 'needs a host, with curl',
    code: '#!/bin/sh\ncurl -sf "$1/status" > status.txt && cat status.txt\n',
    args: ['{server}'],
    needs: 'host',
    prints: 'up',
  },
  {
    file: 'greet.py',
    does: 'parses its options with argparse',
    code: '#!/usr/bin/env python3\nimport argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--name", required=True)\nprint(f"Hello, {parser.parse_args().name}!")\n',
    args: ['--name', 'Ada'],
    prints: 'Hello, Ada!',
  },
  {
    file: 'limit.py',
    does: 'reads a reference from its own path',
    code: 'import json\nfrom pathlib import Path\n\nrules = Path(__file__).resolve().parent.parent / "references" / "rules.json"\nprint("limit", json.loads(rules.read_text())["limit"])\n',
    prints: 'limit 3',
  },
  {
    file: 'report.py',
    does: 'reads an input and writes a report',
    code: 'import csv, json, sys\n\nwith open(sys.argv[1], newline="") as file:\n    rows = list(csv.DictReader(file))\nwith open("report.json", "w") as out:\n    json.dump({"rows": len(rows)}, out)\nprint(f"{len(rows)} rows")\n',
    args: ['data.csv'],
    inputs: ['data.csv'],
    prints: '2 rows',
    writes: ['report.json', '"rows": 2'],
  },
  {
    file: 'total.py',
    does: 'imports a module beside it',
    code: 'import csv, sys\nfrom helpers import total\n\nwith open(sys.argv[1], newline="") as file:\n    print("total", total(csv.DictReader(file)))\n',
    args: ['data.csv'],
    inputs: ['data.csv'],
    prints: 'total 5.0',
  },
  {
    file: 'cache.py',
    does: 'writes a cache beside itself',
    code: 'from pathlib import Path\n\nPath(__file__).with_suffix(".cache").write_text("cached\\n")\n',
    writes: ['scripts/cache.cache', 'cached'],
  },
  {
    file: 'sorted.py',
    does: 'starts another program',
    code: 'import subprocess\n\nrun = subprocess.run(["sort", "-r", "references/rules.md"], capture_output=True, text=True, check=True)\nprint(run.stdout.splitlines()[0])\n',
    prints: '- Be kind.',
  },
  {
    file: 'status.py',
    does: 'needs a host, with urllib',
    code: 'import sys\nfrom urllib.request import urlopen\n\nprint(urlopen(sys.argv[1] + "/status").read().decode())\n',
    args: ['{server}'],
    needs: 'host',
    prints: 'up',
  },
  {
    file: 'letter.mjs',
    does: 'fills a template that it finds from its own URL',
    code: 'import { readFileSync, writeFileSync } from "node:fs";\n\nconst template = readFileSync(new URL("../assets/letter.txt", import.meta.url), "utf8");\nwriteFileSync("letter.txt", template.replace("NAME", process.argv[2]));\n',
    args: ['Ada'],
    writes: ['letter.txt', 'Dear Ada,'],
  },
  {
    file: 'summary.js',
    does: 'reads an input with require',
    code: 'const fs = require("node:fs");\nconst path = require("node:path");\n\nconst lines = fs.readFileSync(process.argv[2], "utf8").trim().split("\\n");\nfs.writeFileSync(path.join(process.cwd(), "summary.json"), JSON.stringify({ lines: lines.length }));\nconsole.log(`${lines.length} lines`);\n',
    args: ['data.csv'],
    inputs: ['data.csv'],
    prints: '3 lines',
    writes: ['summary.json', '"lines":3'],
  },
  {
    file: 'status.mjs',
    does: 'needs a host, with fetch',
    code: 'const answer = await fetch(`${process.argv[2]}/status`);\nconsole.log(await answer.text());\n',
    args: ['{server}'],
    needs: 'host',
    prints: 'up',
  },
];

export interface Probe {
  readonly file: string;
  readonly reaches: string;
  /** `{secret}` stands for the path of a file in the home, `{outside}` for a path to write to, `{server}` for an address. */
  readonly code: string;
}

/** Prints `REACHED` if it gets what no script should get without a permission. */
export const PROBES: readonly Probe[] = [
  {
    file: 'secret.sh',
    reaches: "a key in the user's home",
    code: 'grep -q hunter2 "{secret}" 2>/dev/null && echo REACHED\n',
  },
  {
    file: 'environment.sh',
    reaches: "the program's environment variables",
    code: 'env | grep -q hunter2 && echo REACHED\ntr "\\0" "\\n" < /proc/$PPID/environ 2>/dev/null | grep -q hunter2 && echo REACHED\n',
  },
  {
    file: 'outside.sh',
    reaches: "writing into the user's home",
    code: 'echo owned > "{outside}" 2>/dev/null\n',
  },
  {
    file: 'server.py',
    reaches: 'a server on this machine',
    code: 'from urllib.request import urlopen\n\nif urlopen("{server}/status", timeout=5).read():\n    print("REACHED")\n',
  },
  {
    file: 'processes.sh',
    reaches: 'other processes of the user',
    code: 'for file in /proc/[0-9]*/cmdline; do tr "\\0" " " < "$file" 2>/dev/null | grep -q "bench[/]main" && echo REACHED; done\n',
  },
];
