// Keeps docs/architecture.md true by reading the import statements and counting lines.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from './areas/index.ts'
import { version } from './contract/version.ts'
import { locks, tenantLocks } from './server/database/locks.ts'

const root = import.meta.dirname
const skipped = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-results', '.git', '.cache'])

const walk = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      return entry.isDirectory() ? [`${path}/`, ...walk(path)] : [path]
    })

const tree = walk('')
const sources = tree.filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const text = new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
const lines = (path: string) => readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length

type Import = { from: string; to: string; isType: boolean; isLazy: boolean }
const statement =
  /^\s*(?:import|export)\s[^'"`;=()]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const imports: Import[] = sources.flatMap((from) =>
  [...text.get(from)!.matchAll(statement)].map((match) => {
    const name = (match[1] ?? match[2] ?? match[3])!
    const to = name.startsWith('.') ? join(dirname(from), name) : name
    return { from, to, isType: /^\s*(import|export) type\b/.test(match[0]), isLazy: match[3] !== undefined }
  }),
)
const ours = imports.filter(({ to }) => sources.includes(to))
/** Tests, and what only tests and the bench import: suites for several engines, harnesses. */
const isTest = (path: string): boolean => {
  if (/\.test\.tsx?$/.test(path) || path.startsWith('main/testing/') || path.startsWith('tests/')) return true
  const users = ours.filter(({ to }) => to === path)
  return users.length > 0 && users.every(({ from }) => /\.(test|fixture)\.tsx?$|^(main\/testing|bench)\//.test(from))
}
const show = (found: Import[]) => found.map(({ from, to }) => `${from} -> ${to}`)

const workspaces = ['contract', 'server', 'console', 'edge', 'plant', 'sandbox', 'areas', 'main']
const workspaceOf = (path: string) => workspaces.find((w) => path.startsWith(`${w}/`))
/** areas/<wing>/<area>/ */
const areaOf = (path: string) => /^areas\/[^/]+\/[^/]+\//.exec(path)?.[0]
const floorOf = (path: string) => /^areas\/[^/]+\/[^/]+\/(server|console)\//.exec(path)?.[1]

test('every file that is imported by its path is there', () => {
  const relative = imports.filter(({ to }) => workspaceOf(to) && /\.(ts|tsx|mjs|json)$/.test(to))
  expect(relative.length).toBeGreaterThan(50)
  expect(show(relative.filter(({ to }) => !existsSync(join(root, to))))).toEqual([])
})

/** What a workspace may import beside itself. The server's and the console's half of an area see only their own platform. */
const below: Record<string, readonly string[]> = {
  contract: [],
  sandbox: ['contract'],
  edge: ['contract', 'sandbox'],
  plant: ['contract'],
  server: ['contract', 'sandbox'],
  console: ['contract'],
  areas: ['contract', 'sandbox', 'server', 'console'],
  main: ['areas', 'contract', 'sandbox', 'server', 'console'],
}

test('arrows go down only: main, areas, server and console, sandbox, contract; plant knows the contract alone, edge the sandbox too', () => {
  const astray = ours.filter(({ from, to }) => {
    const [home, other] = [workspaceOf(from), workspaceOf(to)]
    return home && other && home !== other && !below[home]!.includes(other) && from !== 'server/main.ts' && !isTest(from)
  })
  expect(show(astray)).toEqual([])
  // Units that were installed before start this path.
  expect(text.get('server/main.ts')!.trim().split('\n').at(-1)).toBe("import '../main/server.ts'")
})

test('an area has a contract, words, a server and a console half, and no half imports the other', () => {
  const loose = sources.filter((path) => areaOf(path) && !floorOf(path) && !/^areas\/[^/]+\/[^/]+\/[\w-]+\.ts$/.test(path))
  expect(loose).toEqual([])
  const sides = { server: /^(console\/|areas\/[^/]+\/[^/]+\/console\/)/, console: /^(server\/|areas\/[^/]+\/[^/]+\/server\/)/ }
  const astray = ours.filter(({ from, to }) => {
    const floor = floorOf(from)
    if (floor) return sides[floor as keyof typeof sides].test(to)
    // Data: neither half.
    return areaOf(from) !== undefined && /(^|\/)(server|console)\//.test(to)
  })
  expect(show(astray.filter(({ from }) => !isTest(from)))).toEqual([])
})

test('no file of a server reaches the browser, and no file of the kit the console that customers get', () => {
  const reached = new Set<string>()
  const visit = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    for (const { from, to } of ours) if (from === path) visit(to)
  }
  visit('main/console.tsx')
  expect(reached.size).toBeGreaterThan(300)
  expect([...reached].filter((path) => /(^|\/)server\/|^main\/kit\/|^sandbox\//.test(path))).toEqual([])
  expect(show(imports.filter(({ from, to }) => reached.has(from) && to.startsWith('node:')))).toEqual([])
})

// A thread starts for each file: loading schemas took longer than reading most sheets, and words of all areas more memory than the readings of a piece.
test('a worker thread loads no schemas, and one that writes readings no words either', () => {
  const loaded = (path: string, seen = new Set<string>()): Set<string> => {
    const next = imports.filter(({ from, to, isType, isLazy }) => from === path && !isType && !isLazy && !seen.has(to))
    for (const { to } of next) loaded(to, seen.add(to))
    return seen
  }
  const workers = sources.filter((path) => path.endsWith('-worker.ts'))
  expect(workers.length).toBeGreaterThan(2)
  expect(workers.filter((path) => [...loaded(path)].some((to) => to.startsWith('typebox')))).toEqual([])
  const ofReadings = ['history-worker.ts', 'readings.ts'].flatMap((name) => [...loaded(`areas/analysis/history/server/${name}`)])
  expect(ofReadings.length).toBeGreaterThan(10)
  expect(ofReadings.filter((to) => to === 'server/http/words.ts' || to === 'kysely')).toEqual([])
})

test('a workspace imports only packages that its package.json or the contract names', () => {
  const names = (file: string) => {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8'))
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  }
  const shared = names('package.json')
  const astray = imports.filter(({ from, to }) => {
    const home = workspaceOf(from)
    if (!home || /^[./]|^node:/.test(to) || sources.includes(to) || workspaceOf(to)) return false
    const name = to.split('/', to.startsWith('@') ? 2 : 1).join('/')
    // What runs in the browser is brought by the console, wherever its source lies: the image of the server installs none of it.
    const inBrowser = floorOf(from) === 'console' || /^main\/((console|Root|SignedIn|screens)\.tsx?$|kit\/)/.test(from)
    const homes = isTest(from) ? workspaces : [inBrowser ? 'console' : home, 'contract']
    return ![...(isTest(from) ? shared : []), ...homes.flatMap((w) => names(`${w}/package.json`))].includes(name)
  })
  expect(show(astray)).toEqual([])
})

test('the contract and the console import nothing of Node', () => {
  const astray = imports.filter(
    ({ from, to }) =>
      (/^(contract|console)\//.test(from) || (areaOf(from) && floorOf(from) !== 'server')) &&
      !isTest(from) &&
      !from.endsWith('.config.ts') &&
      to.startsWith('node:'),
  )
  expect(show(astray)).toEqual([])
})

/** On the screen side an area lends parts (tables, pickers, links); its screens, calls and state are its own. */
const isPart = (path: string) => {
  // Its lists, which another area shows as a tab or in a panel.
  if (path === `${areaOf(path)}console/index.ts`) return true
  const index = text.get(`${areaOf(path)}console/index.ts`) ?? ''
  return path.endsWith('.tsx') && !index.includes(`import('./${path.split('/').at(-1)}')`)
}

test('the console makes CSV files in one place, where names are quoted and no formulas', () => {
  const makers = [...text].filter(
    ([path, code]) => !isTest(path) && /^(console|areas|main)\//.test(path) && /new Blob\(/.test(code) && code.includes('text/csv'),
  )
  expect(makers.map(([path]) => path)).toEqual(['console/session/request.ts'])
})

test('an area reaches another by its contract, its service.ts or a part of its screens', () => {
  const astray = ours.filter(({ from, to }) => {
    const [home, other] = [areaOf(from), areaOf(to)]
    const open = floorOf(to) === 'server' ? to === `${other}server/service.ts` : floorOf(to) === 'console' ? isPart(to) : true
    return home && other && home !== other && !open && !isTest(from)
  })
  expect(show(astray)).toEqual([])
})

test('no areas depend on each other in a circle', () => {
  const edges = new Map<string, Set<string>>()
  // An area's contract, server half and console half are looked at apart: a screen may show what the other area's server needs.
  const partOf = (path: string) => areaOf(path) && `${areaOf(path)}${floorOf(path) ?? 'contract'}`
  for (const { from, to } of ours) {
    const [home, other] = [partOf(from), partOf(to)]
    if (home && other && home !== other && !isTest(from)) edges.set(home, (edges.get(home) ?? new Set()).add(other))
  }
  const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
    [...(edges.get(from) ?? [])].some((next) => next === wanted || (!seen.has(next) && reaches(next, wanted, seen.add(next))))
  expect([...edges.keys()].filter((area) => reaches(area, area))).toEqual([])
})

test('every worker thread freezes its prototypes: it has its own', () => {
  const workers = sources.filter((path) => /\bparentPort\b/.test(text.get(path)!) && !isTest(path) && !path.startsWith('bench/'))
  expect(workers.length).toBeGreaterThan(3)
  expect(workers.filter((path) => !/^freezePrototypes\(\)$/m.test(text.get(path)!))).toEqual([])
})

test('no folder is named for having no better name', () => {
  expect(tree.filter((path) => /(^|\/)(utils?|helpers?|commons?|lib|core|misc|shared)\/$/.test(path))).toEqual([])
})

test('the version is one number', () => {
  const manifests = ['', 'areas/', 'console/', 'contract/', 'edge/', 'main/', 'plant/', 'server/'].map((folder) => `${folder}package.json`)
  const numbers = manifests.map((path) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version)
  expect(new Set(numbers)).toEqual(new Set([version]))
})

test('no file is longer than 300 lines', () => {
  expect(sources.filter((path) => lines(path) > 300).map((path) => `${path}: ${lines(path)}`)).toEqual([])
})

/** Lines that say something to the machine: what is well explained shall not be dearer. */
const code = (path: string) =>
  text
    .get(path)!
    .split('\n')
    .filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length

test('schemas that many calls share are declared in contract/call.ts alone, and no resource is cast', () => {
  const shared = [
    String.raw`Type\.Object\(\{ (Id|(Removed|Changed): Type\.Integer\(\)) \}\)`,
    String.raw`Type\.Object\(\{\}, \{ additionalProperties: true \}\)`,
    String.raw`Type\.Array\(Id, \{ minItems: 1, maxItems: \d+ \}\)`,
    String.raw`as unknown as \[?(readonly )?Resource\b`,
  ]
  const homes = ['contract/call.ts', 'contract/gateway-protocol.ts', 'architecture.test.ts']
  const again = sources.filter((path) => !homes.includes(path) && new RegExp(shared.join('|')).test(text.get(path)!))
  expect(again).toEqual([])
})

test('the kernel stays within 6,455 lines of code, 14 field kinds and 14 keys of a resource', () => {
  const kernel = sources.filter(
    (path) =>
      /^(contract\/(call|cron|faults|field|figures|message|registry|resource|settings|validators)\.ts|server\/resource\/|console\/kernel\/)/.test(
        path,
      ) && !isTest(path),
  )
  expect(kernel.reduce((sum, path) => sum + code(path), 0)).toBeLessThanOrEqual(6455)
  const kinds = new Set([...text.get('contract/field.ts')!.matchAll(/\{ kind: '(\w+)'/g)].map((m) => m[1]))
  expect(kinds.size).toBeGreaterThan(5)
  expect(kinds.size).toBeLessThanOrEqual(14)
  for (const resource of resources) expect(Object.keys(resource).length, resource.name).toBeLessThanOrEqual(14)
})

test('docs/dependencies.md says of every package that runs what it reads', () => {
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  const rows = new Map([...page.matchAll(/^\| (\S+) \| ([\w, ]+) \|/gm)].map(([, name, homes]) => [name!, homes!.split(', ')]))
  // Areas and the composition name what their server halves import.
  const named = new Set(
    workspaces.flatMap((home) => {
      const { dependencies = {} } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'))
      return Object.keys(dependencies).map((name) => `${name} in ${/^(areas|main)$/.test(home) ? 'server' : home}`)
    }),
  )
  const listed = [...rows]
    .flatMap(([name, homes]) => homes.map((home) => `${name} in ${home}`))
    .filter((row) => row !== 'package in runs in')
  expect(listed.sort()).toEqual([...named].sort())
  expect(lines('docs/dependencies.md')).toBeLessThanOrEqual(80)
})

test('the page on architecture stays a page: 80 lines', () => {
  expect(lines('docs/architecture.md')).toBeLessThanOrEqual(80)
})

test("PostgreSQL's advisory locks have one number each, from the one list of them", () => {
  const taken = sources
    .filter((path) => /^(server|main|areas)\//.test(path) && !isTest(path))
    .flatMap((path) => text.get(path)!.match(/pg_(try_)?advisory\w*\((?!\$1\)|\$\{(locks|tenantLocks)\.|hashtextextended\()[^)]*/g) ?? [])
  expect(taken).toEqual([])
  for (const numbers of [locks, tenantLocks]) expect(new Set(Object.values(numbers)).size).toBe(Object.keys(numbers).length)
})

test('nothing is left to do later, untyped or silenced', () => {
  const forbidden = new RegExp(
    [
      '\\bTO' + 'DO\\b',
      '\\bFIX' + 'ME\\b',
      '\\bas ' + 'any\\b',
      ':\\s*any\\b',
      '<any>',
      'biome-' + 'ignore',
      '@ts-' + '(ignore|nocheck)',
      'eslint-' + 'disable',
    ].join('|'),
  )
  const found = sources
    .filter((path) => path !== 'architecture.test.ts')
    .flatMap((path) =>
      text
        .get(path)!
        .split('\n')
        .flatMap((line, i) => (forbidden.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})
