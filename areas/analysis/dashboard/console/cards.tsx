import { type ComponentType, lazy } from 'react'
import type { Preference } from '../../../../console/kernel/list/arrange.ts'
import { Cities, Days, Newest } from './panels.tsx'
import { Alarms, Devices, Gateways, Handling, Projects } from './tiles.tsx'

export type Card = {
  name: string
  /** The permission of the list it counts: without it the card is not there. */
  permission: string
  /** Key of its title. */
  title: string
  size: 'tile' | 'face' | 'panel' | 'wide'
  is: ComponentType
  /** Shown only to people who see the demo company's devices. */
  demo?: true
}

/** Charts load from separate chunks, so that the first tiles do not wait for them. */
const WaterWorks = lazy(() => import('../../water-works/console/WaterWorks.tsx'))
const Orders = lazy(() => import('./OrdersTile.tsx'))
const EnergyTile = lazy(() => import('./EnergyTile.tsx'))
const DosingTile = lazy(() => import('./DosingTile.tsx'))
const PlantStrip = lazy(() => import('../../plant-strip/console/PlantStrip.tsx'))

/** Cards of areas that come later are added here by them. */
export const cards: readonly Card[] = [
  { name: 'alarms', permission: 'm10201', title: 'dashboard.alarms', size: 'tile', is: Alarms },
  { name: 'handling', permission: 'm10201', title: 'dashboard.handling', size: 'tile', is: Handling },
  { name: 'orders', permission: 'm10601', title: 'menu.m10602', size: 'tile', is: Orders },
  { name: 'gateways', permission: 'm10102', title: 'menu.m10102', size: 'tile', is: Gateways },
  { name: 'devices', permission: 'm10103', title: 'menu.m10103', size: 'tile', is: Devices },
  { name: 'projects', permission: 'm10101', title: 'menu.m10101', size: 'tile', is: Projects },
  { name: 'energy', permission: 'm10701', title: 'dashboard.energy', size: 'tile', is: EnergyTile },
  { name: 'chemicals', permission: 'm10721', title: 'dashboard.chemicals', size: 'tile', is: DosingTile },
  { name: 'overview', permission: 'm10301', title: 'works.title', size: 'face', is: WaterWorks, demo: true },
  { name: 'plant', permission: 'm10301', title: 'plant.title', size: 'face', is: PlantStrip },
  { name: 'days', permission: 'm10201', title: 'dashboard.days', size: 'panel', is: Days },
  { name: 'cities', permission: 'm10101', title: 'dashboard.cities', size: 'panel', is: Cities },
  { name: 'newest', permission: 'm10201', title: 'home.newest', size: 'wide', is: Newest },
]

export type Placed = Card & { visible: boolean }

/** The cards in the person's order. New cards come last, visible. */
export const placed = (all: readonly Card[], kept: Preference['Columns']): Placed[] => {
  const place = (name: string) => kept.find((k) => k.Field === name)
  return all
    .map((card, i) => ({ card, kept: place(card.name), i }))
    .sort((a, b) => (a.kept?.Sort ?? 100 + a.i) - (b.kept?.Sort ?? 100 + b.i))
    .map(({ card, kept }) => ({ ...card, visible: kept ? kept.Visible === 1 : true }))
}

export const toColumns = (all: readonly Placed[]): Preference['Columns'] =>
  all.map(({ name, visible }, Sort) => ({ Field: name, Visible: visible ? 1 : 0, Sort }))
