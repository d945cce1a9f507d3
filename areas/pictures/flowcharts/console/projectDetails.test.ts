import { expect, it } from 'vitest'
import { colourOf } from '../brush.ts'
import { addressOf, cameraRoutes, chartRoutes, defaultRoutes, firstAddress } from './projectDetails.ts'

it('a text of a binding is no colour, and leads nowhere', () => {
  const texts = ['soft', '#12aB9f', 'none', 'x, url(https://evil.example/a.svg#b)', '#123', 'red;']
  expect(texts.map(colourOf)).toEqual(['var(--soft)', '#12aB9f', 'none', 'var(--soft)', 'var(--soft)', 'var(--soft)'])
})

const of = { projectId: 7, projectName: 'Water works' }
const charts = chartRoutes(
  [
    { Id: 3, FlowchartName: 'Overview' },
    { Id: 4, FlowchartName: 'Pumps' },
  ],
  of,
)

it('[pd-menu-chart-group] a route for each published picture, with its Id in path and query, and its name as title', () => {
  expect(charts[1]).toEqual({
    path: '/projectDetailsManagement/flowChart/4',
    title: 'Pumps',
    query: { projectName: 'Water works', projectId: '7', id: '4' },
  })
})

it('[pd-first-chart] the first picture is opened, with name and Id of the project', () => {
  expect(firstAddress(charts, of)).toBe('/projectDetailsManagement/flowChart/3?projectName=Water+works&projectId=7&id=3')
})

it('[pd-fallback] without pictures, the routes that every project has', () => {
  expect(firstAddress([], of)).toBe(addressOf(defaultRoutes(of)[0]!))
})

it('[pd-camera-routes] a route for each camera, with its encoded address', () => {
  expect(cameraRoutes([{ CameraName: 'Gate', Url: 'rtsp://10.0.0.1/live?x=1' }], of)).toEqual([
    {
      path: '/projectDetailsManagement/videoview',
      title: 'Gate',
      query: { url: 'rtsp%3A%2F%2F10.0.0.1%2Flive%3Fx%3D1', projectName: 'Water works', projectId: '7' },
    },
  ])
})
