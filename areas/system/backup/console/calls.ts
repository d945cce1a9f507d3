import { backupCalls } from '../contract.ts'

export type Kind = 'db' | 'files'

/** The same calls for the database and for the files. */
export const callsOf = {
  db: {
    list: backupCalls.dbFiles,
    begin: backupCalls.backupDb,
    status: backupCalls.dbStatus,
    restore: backupCalls.restoreDb,
    restoreStatus: backupCalls.restoreDbStatus,
  },
  files: {
    list: backupCalls.resourceFiles,
    begin: backupCalls.backupResource,
    status: backupCalls.resourceStatus,
    restore: backupCalls.restoreResource,
    restoreStatus: backupCalls.restoreResourceStatus,
  },
} as const

/** Formats a size in bytes. */
export const sizeText = (bytes: number, locale: string): string => {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000))))
  return (bytes / 1000 ** step).toLocaleString(locale, {
    style: 'unit',
    unit: units[step]!,
    maximumFractionDigits: bytes < 10 * 1000 ** step ? 1 : 0,
  })
}
