/** The action of a row in the list of projects. */
export { default } from './CopyProject.tsx'
