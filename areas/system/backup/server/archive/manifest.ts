import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { Fault } from '../../../../../server/http/faults.ts'
import type { BackupFile } from '../../contract.ts'
import type { Listed } from './files.ts'
import { agrees, EncryptedSchema, ManifestSchema } from './manifestSchema.ts'

/** What older code could misread raises it. */
export const format = 1

export type Manifest = Static<typeof ManifestSchema>
export type TableEntry = Manifest['Tables'][number]
/** Stands in for the manifest of a backup that is one encrypted file: what lists show of it. */
export type Encrypted = { Format: number; Kind: 'db' | 'files'; Name: string; Time: number; Shown: BackupFile; Archive: Listed }
/** `SealKey` names the installation's key, `Seal` is its HMAC, `Sha256` tells damage. Earlier versions wrote the last one only. */
type Signed<T> = T & { SealKey?: string; Seal?: string; Sha256: string }
export type Sealed = Signed<Manifest>
export type SealedEncrypted = Signed<Encrypted>
export type Seals = ReturnType<typeof openSeals>

export const version = (JSON.parse(readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8')) as { version: string })
  .version

const [manifestCheck, encryptedCheck] = [Compile(ManifestSchema), Compile(EncryptedSchema)]
const damaged = () => new Fault('backupDamaged', { file: 'manifest.json' })

/** Seals manifests with a key that is derived from the installation's own, which no archive holds. */
export const openSeals = (vaultKey: Buffer) => {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', vaultKey, '', `penstock backup ${purpose}`, 32))
  const [key, keyName] = [derived('seal'), derived('seal name').toString('hex').slice(0, 16)]
  const hashOf = (value: object) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
  const sealOf = (value: object) => createHmac('sha256', key).update(JSON.stringify(value)).digest('hex')
  const seal = <T extends object>(value: T): Signed<T> => {
    const sealed = { ...value, SealKey: keyName, Seal: sealOf({ ...value, SealKey: keyName }) }
    return { ...sealed, Sha256: hashOf(sealed) }
  }
  /** Whether this installation made it, unchanged since: `unseal` has refused what bears its key's name and not its seal. */
  const own = ({ SealKey }: { SealKey?: string }) => SealKey === keyName

  /**
   * Reads a manifest back, ours or a foreign one. Throws Fault backupDamaged when it is not as it was sealed, or names what is no
   * file of a backup; backupNewer for one of a later version.
   */
  const unseal = (text: string): Sealed | SealedEncrypted => {
    let given: Sealed | SealedEncrypted
    try {
      given = JSON.parse(text) as Sealed
    } catch {
      throw damaged()
    }
    if (typeof given !== 'object' || given === null) throw damaged()
    const { Sha256, ...sealed } = given
    const { Seal, ...value } = sealed
    if (hashOf(sealed) !== Sha256) throw damaged()
    if (given.Format > format) throw new Fault('backupNewer')
    const [claimed, wanted] = [Buffer.from(String(Seal)), Buffer.from(sealOf(value))]
    if (own(given) && !(claimed.length === wanted.length && timingSafeEqual(claimed, wanted))) throw damaged()
    if (encryptedCheck.Check(given)) return given as SealedEncrypted
    if (!manifestCheck.Check(given) || !agrees(given as Sealed)) throw damaged()
    return given as Sealed
  }
  return { seal, unseal, own }
}
