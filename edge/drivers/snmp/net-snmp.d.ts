/** The used part of net-snmp 3.29, which publishes no types. */
declare module 'net-snmp' {
  export type Varbind = { oid: string; type: number; value: unknown }
  type Answered<T> = (error: Error | null, answer?: T) => void
  /** The socket interface that a session needs. */
  export type SnmpSocket = {
    on(event: 'message' | 'close' | 'error', heard: (bytes: Buffer) => void): unknown
    send(bytes: Buffer, offset: number, length: number, port: number, host: string, sent: (error: Error | null) => void): void
    ref(): unknown
    unref(): unknown
    close(): unknown
  }
  type Options = {
    version: number
    port: number
    transport: 'udp4' | 'udp6'
    retries: number
    timeout: number
    reportOidMismatchErrors: boolean
    dgramModule: { createSocket(transport: 'udp4' | 'udp6'): SnmpSocket }
  }
  type User = { name: string; level: number; authProtocol?: number; authKey?: string; privProtocol?: number; privKey?: string }
  export type Session = {
    timeout: number
    get(oids: readonly string[], answered: Answered<Varbind[]>): void
    getNext(oids: readonly string[], answered: Answered<Varbind[]>): void
    set(varbinds: readonly Varbind[], answered: Answered<Varbind[]>): void
    close(): void
    on(event: 'error', heard: (error: Error) => void): unknown
  }
  type Engine = { engineID: Buffer }
  export type Algorithm = {
    encryptPdu(
      pdu: Buffer,
      privProtocol: number,
      password: string,
      authProtocol: number,
      engine: Engine,
    ): { encryptedPdu: Buffer; msgPrivacyParameters: Buffer }
    decryptPdu(encrypted: Buffer, privProtocol: number, salt: Buffer, password: string, authProtocol: number, engine: Engine): Buffer
  }
  class RequestFailedError extends Error {
    status: number
  }
  class RequestTimedOutError extends Error {}
  class ResponseInvalidError extends Error {
    code: number
  }
  const snmp: {
    createSession(host: string, community: string, options: Options): Session
    createV3Session(host: string, user: User, options: Options): Session
    Version1: number
    Version2c: number
    Version3: number
    AuthProtocols: Record<string, number>
    PrivProtocols: Record<string, number>
    SecurityLevel: { noAuthNoPriv: number; authNoPriv: number; authPriv: number }
    Authentication: { passwordToKey(authProtocol: number, password: string, engineID: Buffer): Buffer }
    Encryption: { algorithms: Record<number, Algorithm> }
    RequestFailedError: typeof RequestFailedError
    RequestTimedOutError: typeof RequestTimedOutError
    ResponseInvalidError: typeof ResponseInvalidError
  }
  export default snmp
}
