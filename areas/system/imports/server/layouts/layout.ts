import type { Cell } from '../../../../../contract/cell.ts'
import type { wordOrders } from '../../../../../contract/exports.ts'
import { pointFields } from '../../../../../contract/point-fields.ts'

/** Information that a file of another program lacks. `columns`: fields of the columns, by position; '' is no field. */
export type Given = { columns?: readonly string[]; wordOrder?: WordOrder; addressStyle?: number; unitId?: number; source?: string }

/** A part of a row that has no counterpart. Such rows are not imported. */
export type LeftOut = { row: number; column: string; value: string; rule: string; values?: Record<string, string | number> }
/** A row as cells by the fields of a point. */
export type LaidOut = { row: number; cells: Record<string, Cell> }
export type Translated = { rows: LaidOut[]; leftOut: LeftOut[] }

export type WordOrder = (typeof wordOrders)[number]

/** Fields that a column of any sheet can fill. The device is chosen on the screen. */
export const layoutFields = Object.entries(pointFields).flatMap(([name, f]) => (f.set || name === 'DeviceId' ? [] : [name]))

/** Names that would reach object prototypes. No header or tag may be one. */
export const isReserved = (name: string) => ['__proto__', 'prototype', 'constructor'].includes(name.trim())

/** Collects rows. A row that `leaveOut` is called for is listed with its first reason instead of being imported. */
export const collector = () => {
  const done: Translated = { rows: [], leftOut: [] }
  const leaveOut = (row: number, column: string, value: unknown, rule: string, values?: LeftOut['values']) => {
    if (done.leftOut.at(-1)?.row !== row)
      done.leftOut.push({ row, column, value: String(value ?? '').slice(0, 60), rule, ...(values ? { values } : {}) })
    return undefined
  }
  return { done, leaveOut }
}
