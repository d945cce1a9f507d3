// A picture as one file, with its own symbols: for another project, company or installation.
import { type Static, Type } from 'typebox'
import { AnyObject, ById, call } from '../../../contract/call.ts'
import { mostSceneBytes } from '../../../contract/picture/scene.ts'
import { Id } from '../../../contract/resource.ts'
import { flowchart } from './contract.ts'

/** Points go by the names of device and point; nothing in it is an Id of where it comes from. */
export const PictureFile = Type.Object({
  Format: Type.Literal('penstock-picture'),
  Version: Type.Literal(1),
  FlowchartName: Type.String({ minLength: 1, maxLength: 25 }),
  PlatformType: Type.Unsafe<1 | 2>(Type.Union([Type.Literal(1), Type.Literal(2)])),
  /** The device that each parameter of the scene stood for. */
  Devices: Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 200 }), { maxProperties: 2000 }),
  /** Items that stayed behind: images, and what opens or shows another picture. */
  Left: Type.Integer({ minimum: 0 }),
  Scene: AnyObject,
})
export type PictureFile = Static<typeof PictureFile>

export const pictureFileCalls = {
  /** The draft as a file. */
  toFile: call({
    method: 'GET',
    path: `${flowchart.path}/File`,
    permission: flowchart.permission,
    query: ById,
    answer: Type.Unsafe<PictureFile>(Type.Unknown()),
  }),
  /** Makes a picture of a file: its devices are found by name in the project, its symbols in the company or made. */
  fromFile: call({
    method: 'POST',
    path: `${flowchart.path}/FromFile`,
    permission: `${flowchart.permission}.add`,
    body: Type.Object(
      { ProjectId: Id, FlowchartName: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })), File: PictureFile },
      { 'x-bytes': mostSceneBytes + 256 * 1024 },
    ),
    answer: Type.Object({
      Id,
      FlowchartName: Type.String(),
      /** Parameters without a device of that name in the project. */
      Open: Type.Array(Type.String()),
      /** Symbols that the company did not have. */
      Symbols: Type.Integer(),
    }),
  }),
}
