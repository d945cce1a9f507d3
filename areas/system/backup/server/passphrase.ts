import { open } from 'node:fs/promises'
import type { Database } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { isEncrypted, opens } from './archive/age.ts'

/** Size of the header, which shows whether a file is encrypted and whether a passphrase decrypts it. */
const startBytes = 1000

/** Whether the file at `path` is encrypted. Throws FieldFaults on Passphrase if it is missing or wrong. */
export const checkPassphrase = async (path: string, passphrase: string | undefined): Promise<boolean> => {
  const file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0).finally(() => file.close())
  const start = buffer.subarray(0, bytesRead)
  if (!isEncrypted(start)) return false
  if (!passphrase) throw new FieldFaults([{ field: 'Passphrase', rule: 'required' }])
  if (!(await opens(start, passphrase))) throw new FieldFaults([{ field: 'Passphrase', rule: 'passphrase' }])
  return true
}

/** The passphrase of scheduled backups, which is in the vault because the server needs it unattended. */
export const scheduledPassphrase = (database: Database, vault: Vault) => {
  const name = 'backup.Passphrase'
  const has = async () => ({ HasPassphrase: (await vault.names(platformEnterprise)).has(name) ? 1 : 0 })
  return {
    has,
    get: () => vault.get(platformEnterprise, name),
    async set(passphrase: string | null) {
      await vault.put(database.system, platformEnterprise, name, passphrase)
      return has()
    },
  }
}
export type ScheduledPassphrase = ReturnType<typeof scheduledPassphrase>
