import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
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
/** The manifest of a backup that is one encrypted file: what lists show of it. */
export type Encrypted = { Format: number; Kind: 'db' | 'files'; Name: string; Time: number; Shown: BackupFile; Archive: Listed }
/** `SealKey` names the installation's key, `Seal` is its HMAC, `Sha256` detects damage. Earlier versions wrote the last one only. */
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
  /** Whether this installation made it, unchanged since: `verify` has refused what bears its key's name and not its seal. */
  const own = ({ SealKey }: { SealKey?: string }) => SealKey === keyName

  /**
   * Reads a manifest back, ours or a foreign one. Throws Fault backupDamaged when it is not as it was sealed, or names what is no
   * file of a backup; backupNewer for one of a later version.
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
