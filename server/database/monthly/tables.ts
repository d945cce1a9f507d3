/** `keys`: unique indexes by name, the primary key first. Each is extended by the time column, as partitioning requires. */
export type MonthlyTable = { table: string; time: string; keys: readonly { name: string; columns: readonly string[] }[] }

/** Tables partitioned by month. Uniqueness over all months is up to the code that writes. */
export const monthlyTables: readonly MonthlyTable[] = [
  {
    table: 'change',
    time: 'Time',
    keys: [
      { name: 'change_pkey', columns: ['Id'] },
      // `change_head` keeps `Seq` unique across partitions.
      { name: 'change_chain', columns: ['EnterpriseId', 'Seq'] },
    ],
  },
]

/** A partition, from `from` (undefined: unbounded) to `to`, exclusive. */
export type Month = { name: string; from: Date | undefined; to: Date }

const start = (year: number, month: number) => new Date(Date.UTC(year, month, 1))
export const monthOf = (time: Date, plus = 0) => start(time.getUTCFullYear(), time.getUTCMonth() + plus)
const suffix = (month: Date) => `${month.getUTCFullYear()}_${String(month.getUTCMonth() + 1).padStart(2, '0')}`

/** Parses a partition name: `change_2027_01`, or `change_until_2027_01` for the original table. */
export const monthNamed = (table: string, name: string): Month | undefined => {
  const [, until, year, month] = new RegExp(`^${table}_(until_)?(\\d{4})_(\\d\\d)$`).exec(name) ?? []
  if (!year) return
  const at = start(Number(year), Number(month) - 1)
  return until ? { name, from: undefined, to: at } : { name, from: at, to: monthOf(at, 1) }
}

export const nameOf = (table: string, month: Date) => `${table}_${suffix(month)}`
/** Name of the original table as a partition. */
export const pastName = (table: string, to: Date) => `${table}_until_${suffix(to)}`
