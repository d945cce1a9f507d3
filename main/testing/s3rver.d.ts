declare module 's3rver' {
  type Options = {
    address: string
    port: number
    silent: boolean
    directory: string
    configureBuckets: { name: string; configs: string[] }[]
  }
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ port: number }>
    close(): Promise<void>
    /** Before its own answer. */
    middleware: ((context: { method: string; path: string }, next: () => Promise<void>) => Promise<void>)[]
  }
}
