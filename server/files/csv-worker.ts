import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'csv-parse/sync'
import { freezePrototypes, withoutPrototype } from '../../contract/prototypes.ts'

freezePrototypes()

const text = new TextDecoder('utf-8', { fatal: true }).decode(workerData as Uint8Array)
const head = text.slice(0, text.indexOf('\n') + 1 || undefined)
const delimiter = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0]
parentPort!.postMessage(parse(text, withoutPrototype({ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true })))
