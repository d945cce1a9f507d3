import { Type } from 'typebox'
import { ClientKey, call, Removed } from './call.ts'
import { Id } from './resource.ts'

const mb = 1024 * 1024

/**
 * What a file is for decides what it may be and who may see it. The server re-encodes pictures, so nothing but pixels
 * of what was sent is kept: `fit` keeps the proportions, `cover` cuts a square. Public ones need no session (a login page's logo).
 */
export const filePurposes = {
  logo: { most: 5 * mb, picture: { side: 512, how: 'fit' }, open: true },
  avatar: { most: 5 * mb, picture: { side: 256, how: 'cover' }, open: false },
  picture: { most: 15 * mb, picture: { side: 2048, how: 'fit' }, open: false },
  /** Of a site or floor: it is read from close by. */
  plan: { most: 20 * mb, picture: { side: 8192, how: 'fit' }, open: false },
  attachment: { most: 20 * mb, picture: undefined, open: false },
  /** An invoice of a supplier. */
  bill: { most: 10 * mb, picture: undefined, open: false },
} as const
export type FilePurpose = keyof typeof filePurposes
/** Files of records: they are deleted with them. */
export const ofRecords = ['attachment', 'plan', 'bill'] as const satisfies readonly FilePurpose[]
export type FilesPurpose = (typeof ofRecords)[number]

/** Kinds that pictures may have when they are sent; they are kept as WebP. */
export const pictureKinds: readonly string[] = ['png', 'jpg', 'webp', 'gif', 'avif']
/** Kinds of attachments by magic bytes. Text has none, so its content is checked. */
export const attachmentKinds: readonly string[] = ['png', 'jpg', 'webp', 'gif', 'pdf', 'docx', 'xlsx', 'pptx', 'zip', 'mp4', 'mp3', 'wav']
export const textKinds: readonly string[] = ['txt', 'csv', 'json', 'log']

const billKinds: readonly string[] = ['pdf', 'jpg', 'png']
/** Kinds that a purpose takes. */
export const kindsOf = (purpose: FilePurpose): readonly string[] =>
  purpose === 'bill' ? billKinds : filePurposes[purpose].picture ? pictureKinds : [...attachmentKinds, ...textKinds]

/** What a browser offers to choose. */
export const acceptedBy = (purpose: FilePurpose): string =>
  kindsOf(purpose)
    .map((kind) => `.${kind}`)
    .join(',')

const FilePath = Type.String({ minLength: 1, maxLength: 200 })
const Code = Type.String({ maxLength: 60 })

export const fileCalls = {
  /**
   * One file as the body's only part. `MenuEncoding`: only who may see that screen may read the file. The answer's FilePath is
   * relative to the API base and is what records keep; Url can be put into a page and holds for an hour or two.
   */
  upload: call({
    method: 'POST',
    path: '/System/File/Upload',
    permission: 'session',
    query: Type.Object({
      Purpose: Type.Optional(Type.Union(Object.keys(filePurposes).map((p) => Type.Literal(p as FilePurpose)))),
      MenuEncoding: Type.Optional(Code),
      /** The same key of the same person is the same file: an upload that is sent again makes no second one. */
      ClientKey: Type.Optional(ClientKey),
    }),
    answer: Type.Object({
      Id,
      FileName: Type.String(),
      FilePath: Type.String(),
      Url: Type.String(),
      ContentType: Type.String(),
      Size: Type.Integer(),
      Width: Type.Union([Type.Integer(), Type.Null()]),
      Height: Type.Union([Type.Integer(), Type.Null()]),
    }),
  }),
  /** An address for `<img>` and links that holds for an hour or two. */
  sign: call({
    method: 'GET',
    path: '/System/File/Url',
    permission: 'session',
    query: Type.Object({ FilePath }),
    answer: Type.Object({ Url: Type.String(), ExpireTime: Type.Integer() }),
  }),
  /** How much of its room the caller's tenant has used, bytes. */
  usage: call({
    method: 'GET',
    path: '/System/File/Usage',
    permission: 'session',
    answer: Type.Object({ Files: Type.Integer(), Used: Type.Integer(), Quota: Type.Integer() }),
  }),
  /** One's own, or any of the tenant for who manages it. */
  remove: call({
    method: 'DELETE',
    path: '/System/File',
    permission: 'session',
    body: Type.Object({ FilePath }),
    answer: Removed,
  }),
  /** With a session, or with the signature of an address that the server made; open files need neither. */
  download: call({
    method: 'GET',
    path: '/files/:tenant/:name',
    permission: 'public',
    query: Type.Object({
      Expires: Type.Optional(Type.String({ maxLength: 20 })),
      Signature: Type.Optional(Type.String({ maxLength: 64 })),
    }),
  }),
}
