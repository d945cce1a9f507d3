// Reads sheets of any layout: maps columns to fields, and translates cells.

import type { Cell } from '../../../../../contract/cell.ts'
import { languages } from '../../../../../contract/languages.ts'
import { columnSynonyms, withoutUnit } from '../../../../../contract/point-titles.ts'
import type { Resource } from '../../../../../contract/resource.ts'
import { headerOf, headersOf, plain } from '../../../../../server/files/sheet.ts'
import { Fault } from '../../../../../server/http/faults.ts'
import { collector, type Given, isReserved, type LaidOut, layoutFields, type Translated } from './layout.ts'
import { accessOf, classicAddress, dataType } from './modbus.ts'

type SheetRow = { row: number; cells: readonly Cell[] }

/** Titles by column. Refuses duplicate titles, and titles that would reach object prototypes. */
export const titlesOf = (header: readonly Cell[]): string[] => {
  const known = new Map<string, number>()
  return header.map((cell, i) => {
    const title = String(cell ?? '')
      .trim()
      .slice(0, 60)
    if (isReserved(title)) throw new Fault('sheetColumn', { column: i + 1, found: title })
    if (title && known.has(plain(title))) throw new Fault('sheetTwice', { column: i + 1, found: title })
    known.set(plain(title), i)
    return title
  })
}

/** Whether the sheet has our columns, and can be imported as it is. */
export const isOwn = (r: Resource, header: readonly Cell[]) => {
  const names = new Set(Object.keys(r.fields).flatMap((name) => [name, ...headersOf(r, name)].map(plain)))
  const titles = titlesOf(header).filter((title) => title !== '')
  const has = (name: string) => titles.some((title) => [name, ...headersOf(r, name)].map(plain).includes(plain(title)))
  return has('ParaName') && titles.every((title) => names.has(plain(title)))
}

/** The field of each column, '' if none matches. `aliases`: names of standard parameters; a column full of them contains point names. */
export const guessColumns = (r: Resource, header: readonly Cell[], rows: readonly SheetRow[], aliases: ReadonlySet<string>): string[] => {
  const titles = titlesOf(header).map((title) => plain(withoutUnit(title)))
  const taken = new Set<string>()
  const guessed = titles.map(() => '')
  const take = (i: number, name: string | undefined) => {
    if (!name || taken.has(name) || guessed[i]) return
    taken.add(name)
    guessed[i] = name
  }
  const find = (names: (field: string) => readonly string[]) => {
    for (const [i, title] of titles.entries())
      if (title)
        take(
          i,
          layoutFields.find((field) => !taken.has(field) && names(field).some((name) => plain(name) === title)),
        )
  }
  find((field) => [field, ...languages.map((l) => headerOf(r, field, l)), ...headersOf(r, field)])
  find((field) => columnSynonyms[field] ?? [])
  if (!taken.has('ParaName')) {
    const share = titles.map((_, i) => rows.filter(({ cells }) => aliases.has(plain(String(cells[i] ?? '')))).length)
    const most = Math.max(0, ...share)
    if (most * 2 >= rows.length && most > 0)
      take(
        share.findIndex((n, i) => n === most && !guessed[i]),
        'ParaName',
      )
  }
  return guessed
}

/** Address styles of a sheet: counted from 0, from 1, or with the register in front, as in 40001. */
export const addressStyles = { zero: 0, one: 1, classic: 2 } as const

export const guessAddressStyle = (columns: readonly string[], rows: readonly SheetRow[]): number => {
  const at = columns.indexOf('Address')
  const texts = rows.flatMap(({ cells }) => (at < 0 || cells[at] == null ? [] : [String(cells[at])]))
  const numbers = texts.filter((text) => /^\d/.test(text))
  const isClassic = !columns.includes('RegisterType') && numbers.length > 0 && numbers.every((text) => classicAddress(text))
  return isClassic ? addressStyles.classic : addressStyles.zero
}

const registers: Record<string, number> = { coil: 0, 'discrete input': 1, 'input register': 3, 'holding register': 4 }
const registerOf = (text: string) => {
  const name = plain(text).replace(/s$/, '')
  return Object.hasOwn(registers, name) ? registers[name] : undefined
}

/** Rows with the columns mapped by `given.columns`. Types and registers may have the names of other programs. */
export const translateColumns = (rows: readonly SheetRow[], given: Given, isKnown: (field: string, cell: Cell) => boolean): Translated => {
  const columns = given.columns ?? []
  const { done, leaveOut } = collector()
  const translate = ({ row, cells }: SheetRow): LaidOut | undefined => {
    const made: LaidOut['cells'] = {}
    for (const [i, name] of columns.entries()) if (name) made[name] = cells[i] ?? null
    if (!('SlaveNumber' in made) && given.unitId !== undefined) made.SlaveNumber = given.unitId
    const address = String(made.Address ?? '').trim()
    if (given.addressStyle === addressStyles.classic) {
      const place = classicAddress(address)
      if (!place) return leaveOut(row, 'Address', address, 'layout.address')
      Object.assign(made, place)
    } else if (given.addressStyle === addressStyles.one) {
      const [, number, bit = ''] = /^(\d{1,5})(\.\d+)?$/.exec(address) ?? []
      if (!number || Number(number) === 0) return leaveOut(row, 'Address', address, 'layout.address')
      made.Address = `${Number(number) - 1}${bit}`
    }
    const type = made.ParaDataType
    if (type != null && !isKnown('ParaDataType', type)) {
      const found = dataType(String(type), given.wordOrder)
      if ('rule' in found) return leaveOut(row, 'ParaDataType', type, found.rule)
      made.ParaDataType = found.code
    }
    if (made.RegisterType != null && !isKnown('RegisterType', made.RegisterType))
      made.RegisterType = registerOf(String(made.RegisterType)) ?? made.RegisterType
    if (made.ReadWriteType != null && !isKnown('ReadWriteType', made.ReadWriteType))
      made.ReadWriteType = accessOf(String(made.ReadWriteType)) ?? made.ReadWriteType
    return { row, cells: made }
  }
  for (const row of rows) {
    const made = translate(row)
    if (made) done.rows.push(made)
  }
  return done
}
