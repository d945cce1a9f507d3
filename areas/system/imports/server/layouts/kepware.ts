// Tags of a Modbus device that KEPServerEX exported as CSV.
import type { Cell } from '../../../../../contract/cell.ts'
import { plain } from '../../../../../server/files/sheet.ts'
import { collector, type Given, isReserved, type LaidOut, type Translated } from './layout.ts'
import { accessOf, classicAddress, dataType } from './modbus.ts'

type SheetRow = { row: number; cells: readonly Cell[] }
const needed = ['tag name', 'address', 'data type']
/** Columns that identify a sheet from Kepware, in addition to the required ones. */
const telling = ['respect data type', 'client access', 'scaled data type', 'negate value']

export const isKepware = (header: readonly Cell[]) => {
  const titles = header.map((cell) => plain(String(cell ?? '')))
  return needed.every((name) => titles.includes(name)) && telling.some((name) => titles.includes(name))
}

const isOn = (value: string) => ['1', 'true', 'yes'].includes(value.toLowerCase())

export const translateKepware = (header: readonly Cell[], rows: readonly SheetRow[], given: Given): Translated => {
  const places = new Map(header.map((cell, i) => [plain(String(cell ?? '')), i]))
  const { done, leaveOut } = collector()
  const translate = ({ row, cells }: SheetRow): LaidOut | undefined => {
    const cell = (name: string) => String(cells[places.get(plain(name)) ?? -1] ?? '').trim()
    const out = (name: string, rule: string) => leaveOut(row, name, cell(name), rule)
    const place = classicAddress(cell('Address'))
    if (isReserved(cell('Tag Name'))) return out('Tag Name', 'layout.name')
    if (!place) return out('Address', 'layout.address')
    const type = dataType(cell('Data Type'), given.wordOrder)
    if ('rule' in type) return out('Data Type', type.rule)
    const access = cell('Client Access') === '' ? 0 : accessOf(cell('Client Access'))
    if (access === undefined) return out('Client Access', 'layout.access')
    if (isOn(cell('Negate Value'))) return out('Negate Value', 'layout.negate')
    const scaling = plain(cell('Scaling'))
    if (!['', 'none', 'linear'].includes(scaling)) return out('Scaling', 'layout.scaling')
    for (const name of ['Clamp Low', 'Clamp High']) if (scaling === 'linear' && isOn(cell(name))) return out(name, 'layout.clamp')
    return {
      row,
      cells: {
        ...{ ParaName: cell('Tag Name'), ...place, ParaDataType: type.code, ReadWriteType: access },
        ...(given.unitId !== undefined && { SlaveNumber: given.unitId }),
        ...(scaling === 'linear' && {
          ...{ SampleLow: cell('Raw Low'), SampleHigh: cell('Raw High') },
          ...{ ProjectLow: cell('Scaled Low'), ProjectHigh: cell('Scaled High') },
        }),
        ...(cell('Eng Units') && { ParaUnitName: cell('Eng Units') }),
        ...(Number(cell('Scan Rate')) > 0 && { CollectPeriod: cell('Scan Rate') }),
      },
    }
  }
  for (const row of rows) {
    const made = translate(row)
    if (made) done.rows.push(made)
  }
  return done
}
