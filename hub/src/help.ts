export const HELP = `skillplane-hub: a team's skills in one place

  skillplane-hub [serve]           Serve the hub
  skillplane-hub backup <file>     Write everything to one file, also while the hub runs
  skillplane-hub restore <file>    Fill a new database from a backup
  skillplane-hub import <address> --scope <team>
                                   Publish the skills of a repository, a folder, an
                                   archive or a web index

  --port <n>              8470
  --host <address>        127.0.0.1; 0.0.0.0 for everyone who can reach the machine
  --data <folder>         of the embedded database; ~/.skillplane-hub
  --public-url <url>      the address that people use, behind a proxy
  --allow-host <name>     another name under which the hub answers; may be repeated
  --anonymous-read        let everyone read who can reach the hub
  --proxy-header <name>   the header in which a proxy names the person
  --proxy-addresses <list>  the addresses of that proxy; the header counts from no other
  --url <url>             backup and import: ask a hub that runs, with HUB_TOKEN

DATABASE_URL=postgres://… puts the hub on a PostgreSQL server, version 15 or later. Any number
of hubs can share one. Options have variables, too: HUB_PORT, HUB_HOST, HUB_DATA,
HUB_PUBLIC_URL, HUB_ALLOWED_HOSTS, HUB_ANONYMOUS_READ, HUB_PROXY_HEADER, HUB_PROXY_ADDRESSES.
`;
