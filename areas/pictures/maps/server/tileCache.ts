// Map tiles on disk. The company with the most bytes loses its least recently used tile first, so that no company evicts the others'.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Stored = { body: Buffer; time: number }
type Entry = { bytes: number; time: number }
type Needs = { folder: string; clock: () => number; mostBytes: number }

/** A small file also takes one disk block. */
const blockBytes = 4096
const sizeOnDisk = (bytes: number) => Math.ceil(bytes / blockBytes) * blockBytes
const namePattern = /^[0-9a-f]{32}$/

export type TileCache = Awaited<ReturnType<typeof openTileCache>>

export const openTileCache = async ({ folder, clock, mostBytes }: Needs) => {
  /** Files of each company, least recently used first. */
  const companies = new Map<number, { bytes: number; files: Map<string, Entry> }>()
  let total = 0
  const of = (company: number) => {
    const known = companies.get(company) ?? { bytes: 0, files: new Map<string, Entry>() }
    companies.set(company, known)
    return known
  }
  const fileOf = (company: number, name: string) => join(folder, String(company), name)
  const note = (company: number, name: string, entry: Entry) => {
    const own = of(company)
    const change = entry.bytes - (own.files.get(name)?.bytes ?? 0)
    own.files.delete(name)
    own.files.set(name, entry)
    own.bytes += change
    total += change
  }
  const drop = async (company: number, name: string) => {
    const own = of(company)
    const bytes = own.files.get(name)?.bytes ?? 0
    own.files.delete(name)
    own.bytes -= bytes
    total -= bytes
    await rm(fileOf(company, name), { force: true })
  }
  const evict = async () => {
    while (total > mostBytes) {
      const [company, { files }] = [...companies].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most))
      await drop(company, files.keys().next().value!)
    }
  }

  const load = async (company: number) => {
    const found = await Promise.all(
      (await readdir(join(folder, String(company)))).map(async (name) => {
        const { size, mtimeMs } = await stat(fileOf(company, name))
        return { name, bytes: sizeOnDisk(size), time: mtimeMs }
      }),
    )
    for (const { name, ...entry } of found.sort((a, b) => a.time - b.time))
      if (namePattern.test(name)) note(company, name, entry)
      else await rm(fileOf(company, name), { force: true })
  }
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) if (/^\d+$/.test(name)) await load(Number(name))
  await evict()

  return {
    bytes: () => total,
    async get(company: number, name: string): Promise<Stored | undefined> {
      const entry = of(company).files.get(name)
      if (!entry) return undefined
      note(company, name, entry)
      const body = await readFile(fileOf(company, name)).catch(() => undefined)
      if (body) return { body, time: entry.time }
      await drop(company, name)
      return undefined
    },
    async put(company: number, name: string, body: Buffer) {
      await mkdir(join(folder, String(company)), { recursive: true })
      const part = `${fileOf(company, name)}.part`
      await writeFile(part, body)
      await rename(part, fileOf(company, name))
      note(company, name, { bytes: sizeOnDisk(body.length), time: clock() })
      await evict()
    },
  }
}
