import { expect, it } from 'vitest'
import { project } from '../../areas/configuration/projects/contract.ts'
import { plainScreens } from './plainScreens.ts'

it('shows a resource that names its columns at the path of its menu, and no other', () => {
  const screens = plainScreens([{ ...project, columns: ['ProjectName'] }, project])
  expect(Object.keys(screens)).toEqual(['/projectManagement/projectConfig'])
})
