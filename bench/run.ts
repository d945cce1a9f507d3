// `npm run bench [name ...]`: measures on this machine, prints one table, writes bench/results.json.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { abuse } from './abuse.ts'
import { alarms } from './alarms.ts'
import { analysis } from './analysis.ts'
import { bulk } from './bulk.ts'
import { bytes } from './bytes.ts'
import { capacity } from './capacity.ts'
import { cells } from './cells.ts'
import { cold } from './cold.ts'
import { configuration } from './configuration.ts'
import { consoleFigures } from './console.ts'
import { energy } from './energy.ts'
import { fairness } from './fairness.ts'
import { type Figure, printTable } from './figures.ts'
import { hub } from './hub.ts'
import { ingest } from './ingest.ts'
import { lists } from './lists.ts'
import { maintenance } from './maintenance.ts'
import { memory } from './memory.ts'
import { months } from './months.ts'
import { page } from './page.ts'
import { panels } from './panels.ts'
import { phone } from './phone.ts'
import { pictures } from './pictures.ts'
import { polling } from './polling.ts'
import { protocols } from './protocols.ts'
import { queries } from './queries.ts'
import { scale } from './scale.ts'
import { servers } from './servers.ts'

const groups: Record<string, () => Promise<Figure[]>> = {
  ingest,
  fairness,
  hub,
  queries,
  bytes,
  memory,
  lists,
  configuration: async () => [...(await configuration()), ...(await bulk()), ...(await cells())],
  bulk,
  cells,
  panels,
  pictures,
  analysis,
  energy,
  cold,
  maintenance: async () => [...(await maintenance()), ...(await phone())],
  phone,
  alarms,
  polling,
  protocols,
  page,
  console: consoleFigures,
  servers,
  months,
  scale,
  capacity,
  abuse,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in groups))
if (unknown.length) {
  console.error(`There is no ${unknown.join(', ')}. Known: ${Object.keys(groups).join(', ')}.`)
  process.exit(1)
}
const load = () =>
  loadavg()
    .map((n) => n.toFixed(1))
    .join(', ')
console.log(`Load average at the start: ${load()}`)
const figures: Figure[] = []
let failed = false
for (const name of Object.keys(groups).filter((name) => !asked.length || asked.includes(name))) {
  console.log(`${name} ...`)
  try {
    const found = await groups[name]!()
    figures.push(...found)
    printTable(found)
    // What is measured stays, also when a later group is interrupted.
    writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(figures, null, 2)}\n`)
  } catch (error) {
    failed = true
    console.error(`${name} failed:`, error)
  }
}
console.log(`Load average at the end: ${load()}\n`)
printTable(figures)
process.exit(failed ? 1 : 0)
