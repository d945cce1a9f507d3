// A picture as one file, with its own symbols: for another project, company or installation.
import { type Static, Type } from 'typebox'
import { AnyObject, ById, call } from '../../../contract/call.ts'
import { mostSceneBytes } from '../../../contract/picture/scene.ts'
import { Id } from '../../../contract/resource.ts'
import { flowchart } from './contract.ts'

/** Points are identified by the names of device and point; the file contains no Id of its origin. */
export const PictureFile = Type.Object({
  Format: Type.Literal('penstock-picture'),
  Version: Type.Literal(1),
  FlowchartName: Type.String({ minLength: 1, maxLength: 25 }),
  PlatformType: Type.Unsafe<1 | 2>(Type.Union([Type.Literal(1), Type.Literal(2)])),
  /** The device of each parameter of the scene. */
  Devices: Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 200 }), { maxProperties: 2000 }),
  /** Number of omitted items: images, and those that open or show another picture. */
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
  /** Creates a picture from a file. Finds its devices by name in the project; finds or creates its symbols in the company. */
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
      /** Parameters for which the project has no device of that name. */
      Open: Type.Array(Type.String()),
      /** Number of created symbols. */
      Symbols: Type.Integer(),
    }),
  }),
}
