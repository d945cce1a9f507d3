// CBC-DES of RFC 3414, section 8: older agents support nothing better. The library requests DES from Node, which has only triple DES; with
// three equal keys triple DES is DES.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import snmp, { type Algorithm } from 'net-snmp'

const block = 8
const keysOf = (password: string, authProtocol: number, engineID: Buffer) => {
  const localized = snmp.Authentication.passwordToKey(authProtocol, password, engineID)
  const key = localized.subarray(0, block)
  return { key: Buffer.concat([key, key, key]), mask: localized.subarray(block, 2 * block) }
}
const vectorOf = (mask: Buffer, salt: Buffer) => Buffer.from(mask.map((byte, i) => byte ^ salt[i]!))

const encryptPdu: Algorithm['encryptPdu'] = (pdu, _, password, authProtocol, { engineID }) => {
  const { key, mask } = keysOf(password, authProtocol, engineID)
  const salt = randomBytes(block)
  const cipher = createCipheriv('des-ede3-cbc', key, vectorOf(mask, salt)).setAutoPadding(false)
  const filled = Buffer.concat([pdu, Buffer.alloc((block - (pdu.length % block)) % block)])
  return { encryptedPdu: Buffer.concat([cipher.update(filled), cipher.final()]), msgPrivacyParameters: salt }
}
const decryptPdu: Algorithm['decryptPdu'] = (encrypted, _, salt, password, authProtocol, { engineID }) => {
  if (salt.length !== block) throw new RangeError('a salt of another length')
  const { key, mask } = keysOf(password, authProtocol, engineID)
  const decipher = createDecipheriv('des-ede3-cbc', key, vectorOf(mask, salt)).setAutoPadding(false)
  return Buffer.concat([decipher.update(encrypted), decipher.final()])
}

/** Replaces the library's DES by a working one. */
export const provideDes = () => void Object.assign(snmp.Encryption.algorithms[snmp.PrivProtocols.des!]!, { encryptPdu, decryptPdu })
