import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One step: brings a folder from version `from` to `from + 1`; must be repeatable, as a crash may run it twice. */
export type Upgrade = { from: number; run: (folder: string) => Promise<void> }

/** Version of what telemetry writes into its folder. A change that older code could misread raises it and brings a step. */
export const format = 2
/** Format 2 has files of holds, which the store adds by and by; before it, files that are merged would leave theirs behind. */
const upgrades: readonly Upgrade[] = [{ from: 1, run: async () => undefined }]

/**
 * Checks the folder's `format` file before anything else is opened there: makes a new folder, runs the steps for an older one,
 * refuses a newer one.
 */
export const prepareFolder = async (folder: string, known = format, steps: readonly Upgrade[] = upgrades) => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'format')
  const write = (version: number) => writeFileSync(file, `${version}\n`, { flush: true })
  if (!existsSync(file)) write(known)
  const text = readFileSync(file, 'utf8').trim()
  let version = Number(text)
  if (!Number.isInteger(version) || version < 1) throw new Error(`${file} holds "${text.slice(0, 20)}" where a version number belongs.`)
  if (version > known)
    throw new Error(
      `${folder} was written by a newer Penstock (format ${version}; this one knows up to ${known}). Install that version or a newer one.`,
    )
  while (version < known) {
    const step = steps.find(({ from }) => from === version)
    if (!step)
      throw new Error(`${folder} has format ${version}, from which this version cannot upgrade. Install the version in between first.`)
    await step.run(folder)
    write(++version)
  }
}
