import { exportLimits } from '../../../../contract/exportLimits.ts'
import { exportPermission } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Database } from '../../../../server/database/db.ts'
import { inWords } from '../../../../server/files/sheet.ts'
import { openSheet } from '../../../../server/files/sheetWriter.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import type { Prepared, Write } from './kinds.ts'
import { parts } from './service.ts'
import { sheetName } from './sheetName.ts'

export type AskedList = {
  r: Resource
  format: 'xlsx' | 'csv'
  names: readonly string[]
  listing: Listing
  /** Filters as requested, for the log. */
  filters: object
  language: Language
}

/** Writes the rows of a list into the file. Returns their number. */
const writeList =
  (database: Database, actor: Actor, asked: AskedList): Write =>
  async (path, { signal, report }) => {
    const words = inWords(asked.r, asked.names, asked.language)
    const sheet = await openSheet(asked.format, path, words.header)
    let done = 0
    try {
      for await (const { rows, total } of parts(database.as(actor), actor, asked.r, asked, exportLimits.rows)) {
        signal.throwIfAborted()
        await sheet.write(rows.map(words.row))
        done += rows.length
        await report(done, Math.max(done, total))
      }
      await sheet.close()
    } catch (error) {
      await sheet.abort()
      throw error
    }
    return done
  }

export const prepareList = async (database: Database, actor: Actor, asked: AskedList, time: number): Promise<Prepared> => {
  const { r, format, filters, language } = asked
  const title = word(language, `menu.${r.permission}`)
  return {
    ...{ resource: r.name, permission: exportPermission(r), format, filters },
    fileName: `${await sheetName(database.as(actor), actor, r, { ...asked, title, time })}.${format}`,
    write: writeList(database, actor, asked),
  }
}
