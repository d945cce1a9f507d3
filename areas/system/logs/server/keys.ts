import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type SignedPlace = { EnterpriseId: number; Seq: number; Hash: Buffer; Time: Date; KeyId: string; Signature: Buffer }
export type LogKeys = ReturnType<typeof openLogKeys>

const idOf = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
const said = ({ EnterpriseId, Seq, Hash, Time }: Pick<SignedPlace, 'EnterpriseId' | 'Seq' | 'Hash' | 'Time'>) =>
  Buffer.from(`penstock log\n${EnterpriseId}\n${Seq}\n${Hash.toString('hex')}\n${Time.toISOString()}`)

/**
 * The key that signs the log lies beside the database, not in it: who can only change rows cannot sign. Public keys of earlier
 * ones stay, `<id>.pub`, so that what they signed still verifies after a restore onto another machine.
 */
export const openLogKeys = (folder: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'log.pem')
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx', flush: true })
  }
  const own = createPrivateKey(readFileSync(file))
  const KeyId = idOf(createPublicKey(own))
  const pub = join(folder, `${KeyId}.pub`)
  if (!existsSync(pub)) writeFileSync(pub, createPublicKey(own).export({ type: 'spki', format: 'pem' }), { mode: 0o600, flush: true })
  const known = () =>
    new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.pub'))
        .map((name) => createPublicKey(readFileSync(join(folder, name))))
        .map((key) => [idOf(key), key]),
    )
  return {
    sign: (place: Omit<SignedPlace, 'KeyId' | 'Signature'>): SignedPlace => ({ ...place, KeyId, Signature: sign(null, said(place), own) }),
    /** Undefined for a key that is not here. */
    verifies: (place: SignedPlace): boolean | undefined => {
      const key = known().get(place.KeyId)
      return key && verify(null, said(place), key, place.Signature)
    },
  }
}
