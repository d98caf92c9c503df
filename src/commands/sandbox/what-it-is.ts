// What the help of `crm sandbox …` says of the embedded CRM: what it is, and what it isn't.

export const whatItIs =
  'The embedded CRM implements the whole documented interface: contacts, proposals, leads, items and notes with their rules, and to read ' +
  'only, clients, team, categories, projects, tasks and the checklists of leads. It sends no emails, has no web application, keeps no ' +
  'files, and serves nothing that is not documented.';
