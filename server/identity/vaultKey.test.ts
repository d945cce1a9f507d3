import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freshDatabase } from '../../main/testing/database.ts'
import { connect } from '../database/connect.ts'
import { agreeOnVaultKey, compareVaultKey } from './sharedVault.ts'
import { vaultKey } from './vault.ts'

const folder = mkdtempSync(join(tmpdir(), 'penstock-vault-'))
afterEach(() => rmSync(join(folder, 'vault.key'), { force: true }))

test('a given key is used and never written; one that differs from that of the folder is refused', () => {
  const given = randomBytes(32).toString('base64')
  expect(vaultKey(folder, given).toString('base64')).toBe(given)
  expect(existsSync(join(folder, 'vault.key'))).toBe(false)
  const own = vaultKey(folder)
  expect(vaultKey(folder)).toEqual(own)
  expect(vaultKey(folder, own.toString('base64'))).toEqual(own)
  expect(() => vaultKey(folder, given)).toThrow(/another key than/)
})

test('servers of one database have one key: another one is refused, by the server that works and by one that stands by', async () => {
  const fresh = await freshDatabase()
  const database = connect(fresh.url)
  try {
    const [own, other] = [randomBytes(32), randomBytes(32)]
    await compareVaultKey(fresh.adminUrl, own)
    await agreeOnVaultKey(database, own)
    await agreeOnVaultKey(database, own)
    await compareVaultKey(fresh.adminUrl, own)
    await expect(agreeOnVaultKey(database, other)).rejects.toThrow(/PENSTOCK_VAULT_KEY/)
    await expect(compareVaultKey(fresh.adminUrl, other)).rejects.toThrow(/PENSTOCK_VAULT_KEY/)
  } finally {
    await database.close()
    await fresh.drop()
  }
})
