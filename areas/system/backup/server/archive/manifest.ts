import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { Fault } from '../../../../../server/http/faults.ts'
import type { BackupFile } from '../../contract.ts'
import type { Listed } from './files.ts'
import { agrees, EncryptedSchema, ManifestSchema } from './manifestSchema.ts'

/** Increased when older code could misread the format. */
export const format = 1

export type Manifest = Static<typeof ManifestSchema>
export type TableEntry = Manifest['Tables'][number]
/** The manifest of an encrypted backup: its entry in lists. */
export type Encrypted = { Format: number; Kind: 'db' | 'files'; Name: string; Time: number; Shown: BackupFile; Archive: Listed }
/** `SealKey` identifies the installation's key, `Seal` is its HMAC, `Sha256` detects damage. Earlier versions wrote only the last one. */
type Signed<T> = T & { SealKey?: string; Seal?: string; Sha256: string }
export type SignedManifest = Signed<Manifest>
export type SignedEncrypted = Signed<Encrypted>
export type Signer = ReturnType<typeof openSigner>

const [manifestCheck, encryptedCheck] = [Compile(ManifestSchema), Compile(EncryptedSchema)]
const damaged = () => new Fault('backupDamaged', { file: 'manifest.json' })

/** Signs manifests with a key derived from the installation's own, which no archive contains. */
export const openSigner = (vaultKey: Buffer) => {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', vaultKey, '', `penstock backup ${purpose}`, 32))
  const [key, keyName] = [derived('seal'), derived('seal name').toString('hex').slice(0, 16)]
  const hashOf = (value: object) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
  const signatureOf = (value: object) => createHmac('sha256', key).update(JSON.stringify(value)).digest('hex')
  const sign = <T extends object>(value: T): Signed<T> => {
    const signed = { ...value, SealKey: keyName, Seal: signatureOf({ ...value, SealKey: keyName }) }
    return { ...signed, Sha256: hashOf(signed) }
  }
  /** Whether this installation signed it: `verify` has rejected manifests with its key but a wrong HMAC. */
  const own = ({ SealKey }: { SealKey?: string }) => SealKey === keyName

  /**
   * Verifies a manifest, own or foreign. Throws Fault backupDamaged if its signature or hash does not match, or if it lists files that
   * cannot belong to a backup; backupNewer for a later version.
   */
  const verify = (text: string): SignedManifest | SignedEncrypted => {
    let given: SignedManifest | SignedEncrypted
    try {
      given = JSON.parse(text) as SignedManifest
    } catch {
      throw damaged()
    }
    if (typeof given !== 'object' || given === null) throw damaged()
    const { Sha256, ...signed } = given
    const { Seal, ...value } = signed
    if (hashOf(signed) !== Sha256) throw damaged()
    if (given.Format > format) throw new Fault('backupNewer')
    const [claimed, wanted] = [Buffer.from(String(Seal)), Buffer.from(signatureOf(value))]
    if (own(given) && !(claimed.length === wanted.length && timingSafeEqual(claimed, wanted))) throw damaged()
    if (encryptedCheck.Check(given)) return given as SignedEncrypted
    if (!manifestCheck.Check(given) || !agrees(given as SignedManifest)) throw damaged()
    return given as SignedManifest
  }
  return { sign, verify, own }
}
