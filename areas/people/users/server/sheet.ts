import type { Details } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { cellReader, headerOf, headersOf, plain } from '../../../../server/files/sheet.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { importedFields, user } from '../contract.ts'

/** Limited because each password costs a hash. */
const most = 500
const described = user

/** Reads the accounts of a sheet with headers in any supported language; rejects the sheet if a cell is wrong. */
export const accountsOf = async (file: Buffer, language: Language, tenant: number): Promise<Record<string, unknown>[]> => {
  const [header = [], ...body] = await readSheet(file, tenant)
  importedFields.forEach((name, i) => {
    const found = plain(String(header[i] ?? ''))
    if (!headersOf(described, name).some((title) => plain(title) === found))
      throw new Fault('sheetMissing', { field: headerOf(described, name, language) })
  })
  const readers = importedFields.map((name) => cellReader(described, name, language))
  const wrong: NonNullable<Details['Rows']> = []
  const seen = new Set<string>()
  const accounts = body.flatMap((cells, at) => {
    if (cells.every((c) => c === null || c === '')) return []
    const Row = at + 2
    const values: Record<string, unknown> = {}
    importedFields.forEach((name, i) => {
      const read = readers[i]!(cells[i])
      if ('rule' in read)
        wrong.push({
          Row,
          Field: name,
          Message: word(language, read.rule.includes('.') ? read.rule : `fault.field.${read.rule}`, read.values),
        })
      else if (read.value !== null) values[name] = read.value
    })
    const account = String(values.UserNO ?? '').toLowerCase()
    if (account && seen.has(account)) wrong.push({ Row, Field: 'UserNO', Message: word(language, 'fault.field.taken') })
    seen.add(account)
    return [values]
  })
  if (!accounts.length) throw new Fault('sheetEmpty')
  if (accounts.length > most) throw new Fault('sheetTooLong', { max: most })
  if (wrong.length) throw new Fault('sheetRows', { count: wrong.length }, { Rows: wrong.slice(0, 500) })
  return accounts
}
