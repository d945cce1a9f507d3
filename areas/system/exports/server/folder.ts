import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { taskFormats } from '../../../../contract/exports.ts'

/** The folder of export files, with no other writer. */
export class ExportFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  pathOf(id: number, format: string) {
    return join(this.#folder, `${id}.${format}`)
  }
  drop(id: number) {
    for (const format of taskFormats) rmSync(this.pathOf(id, format), { force: true })
  }
  /** Removes the files of all other tasks. */
  keep(ids: ReadonlySet<number>) {
    for (const file of readdirSync(this.#folder))
      if (!ids.has(Number(file.split('.')[0]))) rmSync(join(this.#folder, file), { force: true })
  }
}
