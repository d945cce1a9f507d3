// The pictures of a project as its menu (specification, "Project details"). Pure.
import type { Published } from '../contract.ts'

export type Details = { projectId: number; projectName: string }
export type DetailRoute = { path: string; title: string; query: Record<string, string> }

const query = ({ projectId, projectName }: Details) => ({ projectName, projectId: String(projectId) })
const base = '/projectDetailsManagement'

/** A group of routes, one a published picture: its Id in path and query, its name as title. */
export const chartRoutes = (published: readonly Pick<Published, 'Id' | 'FlowchartName'>[], of: Details): DetailRoute[] =>
  published.map(({ Id, FlowchartName }) => ({
    path: `${base}/flowChart/${Id}`,
    title: FlowchartName,
    query: { ...query(of), id: String(Id) },
  }))

/** A route for each camera. */
export const cameraRoutes = (cameras: readonly { CameraName: string; Url: string }[], of: Details): DetailRoute[] =>
  cameras.map(({ CameraName, Url }) => ({
    path: `${base}/videoview`,
    title: CameraName,
    query: { url: encodeURIComponent(Url), ...query(of) },
  }))

/** What every project has, also where the look-up of its pictures fails. */
export const defaultRoutes = (of: Details): DetailRoute[] => [{ path: `${base}/realTimeCharts`, title: '', query: query(of) }]

export const addressOf = ({ path, query }: DetailRoute) => `${path}?${new URLSearchParams(query)}`

/** Where `/projectDetailsManagement` leads: to the first picture, else to what every project has. */
export const firstAddress = (charts: readonly DetailRoute[], of: Details) => addressOf(charts[0] ?? defaultRoutes(of)[0]!)
