import { emptyScene, type Item, type Scene } from '../contract/picture/scene.ts'

/** A picture with a text, and the value of a point. */
export const pictureOf = (text: string, point?: number): Scene => {
  const title: Item = { kind: 'text', id: 'title', x: 20, y: 20, w: 300, h: 40, text, size: 20 }
  const value: Item[] = point ? [{ kind: 'value', id: 'value', x: 20, y: 80, w: 120, h: 40, of: `#${point}`, size: 20 }] : []
  return { ...emptyScene(), items: [title, ...value] }
}

type Post = (path: string, body: object) => Promise<unknown>
/** Makes and publishes a picture of a project. */
export const addPicture = async (post: Post, { name, project, point }: { name: string; project: number; point?: number }) => {
  const path = '/Project/Ddt/Flowchart'
  const { Id } = (await post(path, { FlowchartName: name, ProjectId: project })) as { Id: number }
  await post(`${path}/Save`, { Id, Scene: pictureOf(name, point) })
  await post(`${path}/Publish`, { Id, Note: name })
  return Id
}

/** Pairs a television that shows the project. */
export const addTelevision = async (post: Post, { name, project }: { name: string; project: number }) => {
  const { Code } = (await post('/Tv/Begin', {})) as { Code: string }
  const Playlist = [{ Kind: 4, Id: project, Seconds: 30 }]
  return (await post('/Project/Ddt/Television/Pair', { Code, TelevisionName: name, ProjectId: project, Playlist })) as { Id: number }
}

/** A border of a map layer. */
export const layerLines = [
  [
    [1, 2],
    [3, 4],
  ],
]
